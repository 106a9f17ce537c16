import { type Document } from 'bson'
import { type RecordedCall } from '../recording/recorded-call.ts'

/** A filter of a call, and the number of documents that it found. */
export type Sought = { readonly filter: Document; readonly found: number }

/** Lists the filters of a call. Empty for calls without one, and for those that failed. */
export function soughtBy({ name, reply }: RecordedCall, command: Document): readonly Sought[] {
  if (reply?.ok !== true) return []
  const documents = reply.documents ?? 0
  // Upserts found nothing.
  const n = Math.max(0, (reply.n ?? 0) - reply.upsertedIds.length)
  switch (name) {
    case 'find':
      return sought(command['filter'], documents)
    case 'aggregate':
      // Later stages change the number of documents: it found at least one.
      return sought(listDocuments(command['pipeline'])[0]?.['$match'], Math.min(1, documents))
    case 'count':
      return sought(command['query'], n)
    case 'distinct':
      return sought(command['query'], documents)
    case 'findAndModify':
    case 'findandmodify':
      return sought(command['query'], Math.max(documents, n))
    case 'update':
    case 'delete': {
      const statements = listDocuments(command[`${name}s`])
      return statements.flatMap(({ q }) => sought(q, Math.ceil(n / statements.length)))
    }
    default:
      return []
  }
}

function sought(filter: unknown, found: number): readonly Sought[] {
  const given = filter ?? {}
  return isPlain(given) ? [{ filter: given, found }] : []
}

const listDocuments = (list: unknown): readonly Document[] => (Array.isArray(list) ? list.filter(isPlain) : [])

/** Whether a value is a document, and not a BSON type. */
export const isPlain = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
