import { deserialize } from 'bson'
import { frameBytes, keyBytes, valueBytes } from '../../language/values/size-and-hash.ts'
import { sum } from '../../metrics/statistics.ts'
import { type CallWork } from '../../metrics/work.ts'
import { type WatchedCommand } from '../engines/watch-commands.ts'
import { type QueryPlan } from './query-plan.ts'

/** Counts what the commands of a call returned, and how often the call waited for the server. */
export function countReplies(commands: readonly WatchedCommand[]): Omit<CallWork, 'docsExamined' | 'keysExamined'> {
  const returned = commands.map(({ reply }) => listReturned(reply))
  const documents = returned.flatMap((one) => one.documents)
  return {
    docsReturned: documents.length,
    bytesReturned: sum([...documents, ...returned.flatMap((one) => one.values)].map(sizeInBson)),
    commands: commands.length,
    roundTrips: Math.max(0, ...commands.map(({ roundTrip }) => roundTrip)),
  }
}

/** Adds up what the plans of a call examined. Null: not known of a plan. */
export function sumExamined(plans: readonly QueryPlan[]): Pick<CallWork, 'docsExamined' | 'keysExamined'> {
  const figures = plans.flatMap((plan) => (typeof plan.figures === 'object' ? plan.figures : []))
  if (figures.length < plans.length) return { docsExamined: null, keysExamined: null }
  return {
    docsExamined: sum(figures.map(({ docsExamined }) => docsExamined)),
    keysExamined: sum(figures.map(({ keysExamined }) => keysExamined)),
  }
}

/** The documents of a reply: of a cursor, or the one that was found and changed; and the values of `distinct`. */
function listReturned(reply: unknown): { readonly documents: readonly unknown[]; readonly values: readonly unknown[] } {
  const { cursor, value, values } = (reply ?? {}) as Readonly<Record<string, unknown>>
  const { firstBatch, nextBatch } = readCursor(cursor)
  const listed = [firstBatch, nextBatch].flatMap((batch) => (Array.isArray(batch) ? (batch as unknown[]) : []))
  const found = typeof value === 'object' && value !== null ? [value] : []
  return { documents: [...listed, ...found], values: Array.isArray(values) ? values : [] }
}

/** The cursor of a reply. The driver leaves that of an aggregate encoded, as a whole, where its documents are wanted so. */
function readCursor(cursor: unknown): Readonly<Record<string, unknown>> {
  if (cursor instanceof Uint8Array) return deserialize(cursor, { fieldsAsRaw: { firstBatch: true, nextBatch: true } })
  return (cursor ?? {}) as Readonly<Record<string, unknown>>
}

/** Values of a fixed size, by the names that each version of BSON gives their types. */
const fixedBytes: ReadonlyMap<string, number> = new Map([
  ['ObjectId', 12],
  ['Decimal128', 16],
  ['Long', 8],
  ['Double', 8],
  ['Int32', 4],
  ['Timestamp', 8],
])

/** BSON bytes of what a driver of any version has decoded. A raw document has its own. */
function sizeInBson(value: unknown): number {
  if (value instanceof Uint8Array) return value.byteLength
  if (typeof value !== 'object' || value === null || value instanceof Date) return valueBytes(value ?? null)
  const { _bsontype: type, position } = value as { readonly _bsontype?: unknown; readonly position?: unknown }
  if (type === 'Binary') return frameBytes + Number(position)
  return (
    fixedBytes.get(String(type)) ??
    frameBytes + sum(Object.entries(value).map(([key, item]: [string, unknown]) => keyBytes(key) + sizeInBson(item)))
  )
}
