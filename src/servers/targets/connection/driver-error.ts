import { ConnectionString } from 'mongodb-connection-string-url'
import { CommandError, ConnectionError } from '../../../protocol/wire/wire-error.ts'
import { redactQuote, findSecrets } from './redact.ts'

/**
 * Whether the error comes from a server that went away or that refuses, over the driver or over a connection of `wire/`. That is
 * foreseen; anything else is a bug and keeps its stack. By the name, because versions of the driver do not share their classes.
 */
export const isDriverError = (error: unknown): error is Error =>
  error instanceof ConnectionError ||
  error instanceof CommandError ||
  (error instanceof Error && error.name.startsWith('Mongo'))

const notImplemented =
  /\b(?:CommandNotFound|CommandNotSupported|NotImplemented|40324)\b|not implemented|no such command/i

/** Why a server or a driver cannot do what it is asked, by what the error shows, and the way out. */
const causes: readonly { readonly shows: RegExp; readonly hint: string }[] = [
  {
    shows: /optional module/i,
    hint: 'The driver needs that npm package for an option of the URI: install it beside mongo-perf (npm install <package>), or take the option out of the URI.',
  },
  {
    shows: /maximum wire version/,
    hint: 'The server is older than the driver supports. Measure a newer server.',
  },
  {
    shows: /minimum wire version/,
    hint: 'The server is newer than the driver supports: update mongo-perf and its driver.',
  },
  // Of $sample alone there is another way.
  {
    shows: /\$sample\b.*(?:not implemented|not supported|unrecognized)|unrecognized.*\$sample\b/i,
    hint: 'This server has no $sample. A collection is read whole where --sample is at least the number of its documents.',
  },
  {
    shows: notImplemented,
    hint: 'This server does not implement what mongo-perf asks for: it is not MongoDB, or it is an old version. What it does not support cannot be measured there.',
  },
]

/** Returns the hint for an error that has nothing to do with address and credentials. Undefined: it may be about those. */
export function hintForCause(error: unknown): string | undefined {
  const text = describeError(error)
  return causes.find(({ shows }) => shows.test(text))?.hint
}

/** Whether a server does not know a command or a stage: it is of another kind, or old. */
export const isNotImplemented = (error: unknown): boolean => notImplemented.test(describeError(error))

/** Empty where it comes from neither a server nor a driver. */
function describeError(error: unknown): string {
  if (!isDriverError(error)) return ''
  const { code = '', codeName = '' } = error as Error & { readonly code?: unknown; readonly codeName?: unknown }
  return `${String(code)} ${String(codeName)} ${error.message}`
}

/** The message of an error, without secrets. A problem that is made of it gets no `cause`, which may hold the URI. */
export const messageWithoutSecrets = (error: unknown, uri: string): string =>
  redactQuote(error instanceof Error ? error.message : String(error), [uri, ...findSecrets(uri)])

/** The server's code of an action that the user's roles do not allow. */
const unauthorized = 13

/** Commands that a `readWrite` user may use. Those that it may not use need `dbAdmin` too. */
const readWriteCommands: ReadonlySet<string> = new Set([
  'insert',
  'update',
  'delete',
  'bulkWrite',
  'findAndModify',
  'find',
  'aggregate',
  'count',
  'distinct',
  'getMore',
  'create',
  'createIndexes',
  'drop',
  'dropIndexes',
  'listCollections',
  'listIndexes',
])

const denied = /not authorized on (\S+) to execute command \{ (\w+): "?([^",]*)/

/** Roles that the user lacks, as the server calls them. */
export type Roles = (command: string, collection: string) => readonly string[]

/** The roles that a user needs for a command that writes: `dbAdmin` too, unless `readWrite` covers the command. */
export const rolesToWrite: Roles = (command) =>
  command === '' || readWriteCommands.has(command) ? ['readWrite'] : ['readWrite', 'dbAdmin']

/** `read` does not cover a profile. */
export const rolesToRead: Roles = (_command, collection) =>
  collection === 'system.profile' ? ['read', 'dbAdmin'] : ['read']

/**
 * How a user gets the role that an action needs. Undefined: the error is no matter of roles.
 * @param database The one that is worked in, where the server does not name another.
 */
export function hintForMissingRole(
  error: Error,
  { uri, database, roles }: { readonly uri: string; readonly database: string; readonly roles: Roles },
): string | undefined {
  if (!('code' in error) || error.code !== unauthorized) return undefined
  const user = parseUser(uri)
  if (user === undefined) return 'The server asks for a login: put the name and the password of a user into the URI.'
  const [, named = database, command = '', collection = ''] = denied.exec(error.message) ?? []
  // Some commands are sent to "admin" and are about another database.
  const db = named === 'admin' ? database : named
  const granted = roles(command, collection).map(
    (role) => `{ role: ${JSON.stringify(role)}, db: ${JSON.stringify(db)} }`,
  )
  const line = `db.getSiblingDB(${JSON.stringify(user.database)}).grantRolesToUser(${JSON.stringify(user.name)}, [${granted.join(', ')}])`
  return `The user lacks a role on the database ${JSON.stringify(db)}. An administrator grants it in mongosh with ${line}`
}

function parseUser(uri: string): { readonly name: string; readonly database: string } | undefined {
  const { username, pathname, searchParams } = new ConnectionString(uri)
  if (username === '') return undefined
  const database = searchParams.get('authSource') ?? (decodeURIComponent(pathname.slice(1)) || 'admin')
  return { name: decodeURIComponent(username), database }
}
