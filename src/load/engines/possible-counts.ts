import { type Reply } from './engine.ts'
import { type MethodKind, type NamedArguments, type WriteKind } from './intent.ts'

/** The server acknowledged, without an error, counts that a call of its kind cannot have. What it did is not known. */
export class ImpossibleCounts extends Error {
  override readonly name = 'ImpossibleCounts'
}

/** Whether counts are possible for a call that succeeded. */
type Test = (reply: Reply, args: NamedArguments) => boolean

const changesOne: Test = ({ documents, matched, modified }) => documents <= 1 && matched <= 1 && modified <= matched

const writes: Test = ({ inserted, matched, modified, upserted, deleted }, { writes: all = [] }) => {
  const count = (...kinds: readonly WriteKind[]): number => all.filter(({ kind }) => kinds.includes(kind)).length
  const ofOne = count('updateOne', 'replaceOne')
  const ofMany = count('updateMany')
  return (
    inserted === count('insertOne') &&
    modified <= matched &&
    upserted <= ofOne + ofMany &&
    (ofMany > 0 || matched + upserted <= ofOne) &&
    (count('deleteMany') > 0 || deleted <= count('deleteOne'))
  )
}

const tests: Readonly<Partial<Record<MethodKind, Test>>> = {
  insertOne: ({ inserted }) => inserted === 1,
  insertMany: ({ inserted }, { documents = [] }) => inserted === documents.length,
  updateOne: changesOne,
  replaceOne: changesOne,
  updateMany: ({ matched, modified }) => modified <= matched,
  deleteOne: changesOne,
  findOneAndUpdate: changesOne,
  findOneAndReplace: changesOne,
  findOneAndDelete: changesOne,
  bulkWrite: writes,
  clientBulkWrite: writes,
}

/**
 * Makes the check of the replies of a method. Undefined: any counts are possible, or the server sends none.
 * @param w Of the write concern. Default: writes are acknowledged.
 */
export function createCountCheck(
  kind: MethodKind,
  w: unknown = 1,
): ((reply: Reply, args: NamedArguments) => Reply) | undefined {
  const isPossible = tests[kind]
  if (isPossible === undefined || w === 0) return undefined
  return (reply, args) => {
    if (isPossible(reply, args)) return reply
    const { inserted, matched, modified, upserted, deleted } = reply
    const counts = JSON.stringify({ inserted, matched, modified, upserted, deleted })
    throw new ImpossibleCounts(`The server acknowledged ${kind} with impossible counts: ${counts}`)
  }
}
