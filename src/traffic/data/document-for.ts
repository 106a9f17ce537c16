import { type Document, Double, Int32, Long } from 'bson'
import type { RecordedCall } from '../recording/recorded-call.ts'

/** A filter of a call, and the number of documents that it found. */
type Sought = { readonly filter: Document; readonly found: number }

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
const isPlain = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** A document whose fields may have any name. */
export type MadeDocument = Map<string, unknown>

/** Maximum number of values of an `$in` that get a document. */
const maxChoices = 1000

/** Makes documents that match the equalities and bounds of a filter, one for each value of an `$in`. Empty: the filter is too complex. */
export function documentsFor(filter: Document): readonly MadeDocument[] {
  const key = Object.keys(filter).find((name) => isPlain(filter[name]) && Array.isArray(filter[name]['$in']))
  const choices: readonly unknown[] = key === undefined ? [undefined] : filter[key]['$in'].slice(0, maxChoices)
  return choices.flatMap((choice) => {
    const document: MadeDocument = new Map()
    if (!fill(document, filter)) return []
    if (key !== undefined) put(document, key.split('.'), choice)
    return [document]
  })
}

/** Sets the fields that a filter needs. @returns whether the document matches it then. */
const fill = (document: MadeDocument, filter: Document): boolean =>
  Object.entries(filter).every(([key, condition]) => {
    if (key === '$and' || key === '$or') return fillAll(document, condition, key === '$or' ? 1 : Infinity)
    if (key.startsWith('$')) return false
    const value = valueFor(condition)
    if (value !== absent && value !== unclear) put(document, key.split('.'), value)
    return value !== unclear
  })

const fillAll = (document: MadeDocument, filters: unknown, most: number): boolean =>
  Array.isArray(filters) && filters.slice(0, most).every((one) => isPlain(one) && fill(document, one))

function put(document: MadeDocument, [step = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) return void document.set(step, value)
  const inner = document.get(step)
  const below: MadeDocument = inner instanceof Map ? inner : new Map()
  document.set(step, below)
  put(below, rest, value)
}

const absent = Symbol('absent')
const unclear = Symbol('unclear')

function valueFor(condition: unknown): unknown {
  if (!isPlain(condition)) return condition
  const [first] = Object.keys(condition)
  if (first === undefined || !first.startsWith('$')) return condition
  const found = Object.entries(condition).map(([name, given]) => (values.get(name) ?? (() => unclear))(given))
  return found.includes(unclear) ? unclear : (found.find((value) => value !== absent) ?? absent)
}

/** Values that match an operator. A filter with any other operator is too complex. */
const values = new Map<string, (given: unknown) => unknown>([
  ['$eq', (given) => given],
  ['$gte', (given) => given],
  ['$lte', (given) => given],
  ['$gt', (given) => beside(given, 1)],
  ['$lt', (given) => beside(given, -1)],
  ['$in', (given) => (Array.isArray(given) && given.length > 0 ? given[0] : unclear)],
  ['$ne', () => absent],
  ['$nin', () => absent],
  ['$exists', (given) => (given === true ? true : absent)],
])

function beside(value: unknown, step: number): unknown {
  if (value instanceof Int32) return new Int32(value.value + step)
  if (value instanceof Double) return new Double(value.value + step)
  if (value instanceof Long) return value.add(step)
  return value instanceof Date ? new Date(value.getTime() + step) : unclear
}
