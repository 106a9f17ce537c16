import { type BsonDocument, isDocument } from '../values/bson-types.ts'
import { kindOf } from './kinds.ts'
import { type Passed, type ProfiledCall, readEntry } from './profiled-call.ts'

/** Calls that differ only in their values. */
export type CallGroup = {
  /** The first of them. */
  readonly call: ProfiledCall
  count: number
  /** Of inserts, over all calls. */
  documents: number
}

/** What a profile has seen, by shape, and what is not in there, by the reason. */
export type CallGroups = {
  readonly groups: readonly CallGroup[]
  readonly passed: ReadonlyMap<string, number>
  /** Entries in all. */
  readonly entries: number
}

/** Collects the entries of a profile one by one. */
export function createGrouping(database: string): {
  readonly add: (entry: BsonDocument) => void
  readonly result: () => CallGroups
} {
  const groups = new Map<string, CallGroup>()
  const passed = new Map<string, number>()
  let entries = 0
  return {
    add(entry) {
      entries++
      const read = readEntry(entry, database)
      if (read === undefined) return
      if (isPassed(read)) return void passed.set(read.passed, (passed.get(read.passed) ?? 0) + 1)
      const identity = identityOf(read)
      const group = groups.get(identity)
      if (group) {
        group.count++
        group.documents += read.documents ?? 0
      } else groups.set(identity, { call: read, count: 1, documents: read.documents ?? 0 })
    },
    result: () => ({ groups: [...groups.values()].toSorted((a, b) => b.count - a.count), passed, entries }),
  }
}

const isPassed = (read: ProfiledCall | Passed): read is Passed => 'passed' in read

const identityOf = ({ collection, kind, filter, pipeline, update, options }: ProfiledCall): string =>
  JSON.stringify([collection, kind, shapeOf(filter), shapeOf(pipeline), shapeOf(update), optionShape(options)])

/** Keys and types without the values. Lists of values are alike whatever their length. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(shapeOf)
    return items.every((item) => typeof item === 'string') ? [...new Set(items)] : items
  }
  if (isDocument(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]))
  return value === null || value === undefined ? 'null' : kindOf(value)
}

/** How many documents are asked for is a part of what is asked. */
const optionShape = (options: ProfiledCall['options']): unknown =>
  Object.fromEntries(
    Object.entries(options).map(([key, value]) => [key, isDocument(value) ? shapeOf(value) : String(value)]),
  )
