import { type Db, type Document } from 'mongodb'
import { Problem } from '../core/errors.ts'
import { type QueryPlan } from '../load/measure/query-plan.ts'
import { sum } from '../metrics/statistics.ts'
import { type CallGroup } from '../sources/init/profile/call-groups.ts'
import { type ProfiledCall } from '../sources/init/profile/profiled-call.ts'
import { explainCall } from '../sources/init/query/describe-call.ts'
import { type Work } from './choose.ts'

/** Calls of a shape that are explained, with their own values. */
const examples = 3

/** Work for a call of a shape. Why it is not known, where the server does not say. */
export type ExplainedWork = { readonly work: Work; readonly plan: QueryPlan } | { readonly unknown: string }

/** Reads from a plan how much the server does for a call: keys and documents that it examines, and documents that it sorts. */
export function readWork(plan: QueryPlan | string): ExplainedWork {
  if (typeof plan === 'string') return { unknown: plan }
  const { figures } = plan
  if (typeof figures === 'string') return { unknown: figures }
  const { keysExamined, docsExamined, docsSorted = 0 } = figures
  return { work: keysExamined + docsExamined + docsSorted, plan }
}

/** Has the server explain calls of a shape. @returns the mean of their work, and the plan of the first. */
export async function explainShape(db: Db, { call, examples: calls }: CallGroup): Promise<ExplainedWork> {
  const step = Math.max(1, calls.length / examples)
  const chosen: readonly ProfiledCall[] = Array.from(
    { length: Math.min(examples, calls.length) },
    (_, i) => calls[Math.floor(i * step)] ?? call,
  )
  const explained: ExplainedWork[] = []
  for (const one of chosen) explained.push(await explainOne(db, one))
  const [first] = explained
  const unknown = explained.find((one) => 'unknown' in one)
  if (unknown !== undefined || first === undefined) return unknown ?? { unknown: 'there is no call of it' }
  const works = explained.flatMap((one) => ('work' in one ? one.work : []))
  return { ...first, work: sum(works) / works.length }
}

async function explainOne(db: Db, call: ProfiledCall): Promise<ExplainedWork> {
  try {
    return readWork(await explainCall(db.collection(call.collection), call))
  } catch (error) {
    // Such as a search for text without an index for it.
    if (error instanceof Problem) return { unknown: error.message }
    throw error
  }
}

const replicated = { writeConcern: { w: 'majority', wtimeout: 10_000 } } as const

/** Shows indexes, so that calls may use them, or hides them. */
export async function showIndexes(
  db: Db,
  collection: string,
  names: readonly string[],
  isShown: boolean,
): Promise<void> {
  for (const name of names) await db.command({ collMod: collection, index: { name, hidden: !isShown }, ...replicated })
}

/** Does something while indexes of a collection are shown or hidden. */
export async function withIndexes<Value>(
  db: Db,
  collection: string,
  { show = [], hide = [] }: { readonly show?: readonly string[]; readonly hide?: readonly string[] },
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    await showIndexes(db, collection, show, true)
    await showIndexes(db, collection, hide, false)
    return await work()
  } finally {
    await showIndexes(db, collection, show, false)
    await showIndexes(db, collection, hide, true)
  }
}

/** Reads the size of an index over all shards, in MB of 2^20 bytes. */
export async function readIndexMegabytes(db: Db, collection: string, name: string): Promise<number> {
  const stats = await db
    .collection(collection)
    .aggregate([{ $collStats: { storageStats: {} } }])
    .toArray()
  const sizes = stats.map(({ storageStats }) => (storageStats as Document)['indexSizes'] as Document)
  return sum(sizes.map((ofShard) => Number(ofShard[name] ?? 0))) / 1024 / 1024
}
