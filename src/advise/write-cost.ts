import { isDocument } from '../language/values/bson-types.ts'
import { type CallGroup } from '../sources/init/profile/call-groups.ts'
import { type Candidate } from './candidate.ts'

/** Work of writing one entry of an index, in examined documents: 4.6 and 5.0 by `npm run bench -- index-entries`, on MongoDB 6.0.5. */
const entryWork = 5

/** Counts the entries of an index that calls of one shape write, in all, and the work for them. */
export function countEntryWork(
  { call, count, documents, found }: CallGroup,
  { key, share, options: { partialFilterExpression = {} } }: Candidate,
): number {
  const { kind, update, options: given } = call
  if (kind.startsWith('insert')) return documents * share * entryWork
  if (/delete/i.test(kind))
    return Math.min(found || count, kind.includes('Many') ? Infinity : count) * share * entryWork
  if (update === undefined) return 0
  const inserted = given['upsert'] === true ? Math.max(0, count - found) : 0
  const fields = [...key.map(([field]) => field), ...Object.keys(partialFilterExpression)]
  const changed = fields.some((field) => changes(update, field)) ? (found || count) * 2 : 0
  return (changed + inserted * share) * entryWork
}

/** Whether an update may change what an index has of a document. */
function changes(update: unknown, field: string): boolean {
  if (!isDocument(update)) return true
  const operators = Object.entries(update)
  if (operators.some(([name]) => !name.startsWith('$'))) return true
  return operators
    .filter(([name]) => name !== '$setOnInsert')
    .flatMap(([name, fields]) => (isDocument(fields) ? listChanged(name, fields) : []))
    .some((path) => isWithin(path, field) || isWithin(field, path))
}

/** Lists the paths that an operator changes; `$rename` also makes the new ones. */
const listChanged = (operator: string, fields: object): readonly string[] =>
  operator === '$rename' ? Object.entries(fields).flat().map(String) : Object.keys(fields)

/** Whether a path is another, or in it. Positions in lists do not count. */
function isWithin(path: string, other: string): boolean {
  const [inner, outer] = [path, other].map((one) => one.replaceAll(/\.(?:\d+|\$(?:\[\w*\])?)(?=\.|$)/g, ''))
  return inner === outer || inner?.startsWith(`${outer}.`) === true
}
