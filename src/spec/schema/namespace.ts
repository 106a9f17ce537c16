import { z } from 'zod'

export type Namespace = { readonly database: string; readonly collection: string }

/** Databases of the server itself: they hold no user data, and a mistake there breaks the server. */
const databasesOfTheServer: ReadonlySet<string> = new Set(['admin', 'local', 'config'])

const maxDatabaseBytes = 63
const maxNamespaceBytes = 255

/** Splits "database.collection" at the first dot. Undefined where there is no dot. */
export function readNamespace(text: string): Namespace | undefined {
  const dot = text.indexOf('.')
  return dot < 0 ? undefined : { database: text.slice(0, dot), collection: text.slice(dot + 1) }
}

/** Schema of the namespace of a collection that mongo-perf did not create. */
export const existingNamespace = z.string().superRefine((text, context) => {
  const reason = reasonAgainst(text)
  if (reason !== undefined) context.addIssue({ code: 'custom', message: reason })
})

function reasonAgainst(text: string): string | undefined {
  const { database, collection } = readNamespace(text) ?? { database: '', collection: '' }
  if (database === '' || collection === '') return 'must be a database and a collection, such as "shop.orders"'
  if (databasesOfTheServer.has(database.toLowerCase())) return `"${database}" is a database of the server itself`
  if (!isName(database, /[/\\ "$*<>:|?\0]/, maxDatabaseBytes)) return 'is not a name that a database can have'
  if (collection.startsWith('system.')) return `"${collection}" is a collection of the server itself`
  const maxBytes = maxNamespaceBytes - Buffer.byteLength(`${database}.`)
  return isName(collection, /[$\0]|^\.|\.$|\.\./, maxBytes) ? undefined : 'is not a name that a collection can have'
}

const isName = (text: string, wrong: RegExp, maxBytes: number): boolean =>
  !wrong.test(text) && Buffer.byteLength(text) <= maxBytes
