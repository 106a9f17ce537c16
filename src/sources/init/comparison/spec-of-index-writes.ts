import { type JsonObject } from '../../../core/json.ts'
import { groupDigits } from '../../../core/quantities.ts'
import { type CollectionProfile, formatNamespace } from '../collection/collection-profile.ts'
import { insertAndUpdate } from '../collection/spec-of-collection.ts'
import { mixReport, timedPhase } from '../draft.ts'
import { createNotes } from '../notes.ts'
import { planCompared } from './spec-of-comparison.ts'

/** Other indexes for a collection: those that it gets, as data sets have them, and the names of those that it loses. */
export type ChangedIndexes = { readonly added: readonly JsonObject[]; readonly removed: readonly string[] }

/** Makes the spec that says what other indexes cost writes to made-up data like that of a collection: "with" or "without" is its parameter `index`. */
export function specOfIndexWrites(
  profile: CollectionProfile,
  { added, removed }: ChangedIndexes,
  { name, title, documents }: { readonly name: string; readonly title: string; readonly documents: number },
): JsonObject {
  const { data, kept } = planCompared(profile, [], { keepValues: true, own: undefined }, createNotes())
  const left = data.indexes.filter((index) => !removed.includes(index.name)).map(({ spec }) => spec)
  const indexes = { '@cond': [{ '@eq': [{ '@param': 'index' }, 'with'] }, left.concat(added), kept] }
  return {
    name,
    title,
    target: { kind: 'existing', uriFrom: 'MONGO_PERF_URI' },
    parameters: { workers: 8, seconds: 10, warmupSeconds: 1, index: 'without', documents },
    data: { ...data.spec, indexes },
    phases: [timedPhase('write', insertAndUpdate(data, createNotes()))],
    report: mixReport,
  }
}

/** Says how far the writes are from those of the collection: an index that does not fit into the cache costs more than a small one. */
export function describeExtent(profile: CollectionProfile, documents: number): readonly string[] {
  if (documents >= profile.documents) return []
  const factor = Number((profile.documents / documents).toPrecision(2))
  return [
    `The writes were measured on ${groupDigits(documents)} documents. ${formatNamespace(profile)} has ${groupDigits(profile.documents)}, so its index is ${factor} times as large: the cost is a lower bound.`,
  ]
}
