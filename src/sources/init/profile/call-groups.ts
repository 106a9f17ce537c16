import { mix } from '../../../core/random.ts'
import { type BsonDocument, isDocument } from '../../../language/values/bson-types.ts'
import { determineScalarKind } from '../collection/kinds.ts'
import { HotValues } from './hot-values.ts'
import { type ProfiledCall, readEntry } from './profiled-call.ts'

/** Profiled calls that differ only in their values. */
export type CallGroup = {
  /** The first call. */
  readonly call: ProfiledCall
  /** Some of the calls, at random from all. */
  readonly examples: ProfiledCall[]
  readonly values: HotValues
  count: number
  /** Documents that the calls returned, matched or deleted. */
  found: number
  /** Inserted documents, over all calls. */
  documents: number
}

/** The calls of a profile by shape, and the skipped ones by reason. */
export type CallGroups = {
  readonly groups: readonly CallGroup[]
  readonly skipped: ReadonlyMap<string, number>
  /** All of them, by the kind of their operation: what a spec of them is compared with. */
  readonly kinds: ReadonlyMap<string, number>
  /** Options that operations do not have, and how many calls have each. */
  readonly dropped: ReadonlyMap<string, number>
  readonly entries: number
}

/** Bounds memory. */
const maxExamples = 100

/**
 * Groups the entries of a profile, which are added one by one.
 * @param values Whether equal values in them were equal when they were sent.
 */
export function createGrouping(
  database: string,
  values: 'known' | 'hidden' = 'known',
): {
  readonly add: (entry: BsonDocument) => void
  readonly addCall: (call: ProfiledCall) => void
  readonly result: () => CallGroups
} {
  const groups = new Map<string, CallGroup>()
  const [skipped, kinds, dropped] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  let entries = 0
  const addCall = (call: ProfiledCall): void => {
    const identity = createCallKey(call)
    const group = groups.get(identity) ?? {
      call,
      examples: [],
      values: new HotValues(),
      count: 0,
      documents: 0,
      found: 0,
    }
    groups.set(identity, group)
    count(kinds, call.kind)
    for (const option of call.dropped) count(dropped, option)
    group.count++
    // Each call has the same chance to be an example.
    const place = group.count <= maxExamples ? group.count - 1 : mix(group.count) % group.count
    if (place < maxExamples) group.examples[place] = call
    group.documents += call.documents ?? 0
    group.found += call.found ?? 0
    if (values === 'known') group.values.add(call)
  }
  return {
    addCall,
    add(entry) {
      entries++
      const read = readEntry(entry, database)
      if (read === undefined) return
      if ('skipped' in read) {
        count(kinds, read.kind)
        count(skipped, read.skipped)
      } else if (read.isContinued) {
        const group = groups.get(createCallKey(read))
        if (group) group.found += read.found ?? 0
      } else addCall(read)
    },
    result() {
      const frequent = [...groups.values()].toSorted((a, b) => b.count - a.count)
      return { groups: frequent, skipped, kinds, dropped, entries }
    },
  }
}

export const count = (counts: Map<string, number>, key: string, calls = 1): void =>
  void counts.set(key, (counts.get(key) ?? 0) + calls)

const createCallKey = ({ collection, kind, filter, pipeline, update, arrayFilters, options }: ProfiledCall): string =>
  JSON.stringify([
    collection,
    kind,
    toTypeShape(filter),
    toTypeShape(pipeline),
    toTypeShape(update),
    toTypeShape(arrayFilters),
    optionShape(options),
  ])

/** Keys and types without the values. Arrays of values are equal whatever their length. */
function toTypeShape(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(toTypeShape)
    return items.every((item) => typeof item === 'string') ? [...new Set(items)] : items
  }
  if (isDocument(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toTypeShape(item)]))
  return value === null || value === undefined ? 'null' : determineScalarKind(value)
}

/** Options whose values differ from call to call, as values of filters do. */
export const argumentNames: ReadonlySet<string> = new Set(['skip', 'limit', 'batchSize', 'maxTimeMS'])

/** The shape of options keeps scalar values that choose how a call is carried out, such as `hint`. */
const optionShape = (options: ProfiledCall['options']): unknown =>
  Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key,
      argumentNames.has(key) ? key : isDocument(value) ? toTypeShape(value) : String(value),
    ]),
  )
