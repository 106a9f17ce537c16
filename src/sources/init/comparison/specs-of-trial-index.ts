import { type Json, type JsonObject } from '../../../core/json.ts'
import { groupDigits } from '../../../core/quantities.ts'
import { type CollectionProfile, formatNamespace } from '../collection/collection-profile.ts'
import { insertAndUpdate } from '../collection/spec-of-collection.ts'
import { type PlannedData } from '../data/data-set.ts'
import { mixReport, timedPhase } from '../draft.ts'
import { specName } from '../names.ts'
import { createNotes } from '../notes.ts'
import { planQuery } from '../query/parameterize-query.ts'
import { type OwnQuery } from '../query/read-query.ts'
import { type IndexKey, planCompared } from './spec-of-comparison.ts'

/** Specs whose parameter `index`, "without" or "with", is the difference between two sides. */
export type TrialSpecs = {
  /** The query on the collection itself. The index is hidden and shown beside it. */
  readonly reads: JsonObject
  /** Writes to made-up data like that of the collection, in a database of our own. */
  readonly writes: JsonObject
  readonly notes: readonly string[]
  /** How far the writes are from those of the collection. Null: they have as many documents. */
  readonly extent: string | null
}

const parameters = { workers: 8, seconds: 10, warmupSeconds: 1, index: 'without' }

/**
 * Makes the specs that say what an index gains a query and costs writes.
 * @param maximum Number of documents to make up, if the collection has as many.
 */
export function specsOfTrialIndex(
  profile: CollectionProfile,
  key: IndexKey,
  query: OwnQuery,
  maximum: number,
): TrialSpecs {
  const documents = Math.max(1, Math.min(profile.documents, maximum))
  const namespace = formatNamespace(profile)
  const notes = createNotes()
  const operation = planQuery(query, profile, { keepValues: true, isExisting: true, notes }).operationOn(undefined)
  const { data, kept, compared } = planCompared(profile, [key], { keepValues: true, own: undefined }, createNotes())
  return {
    notes: notes.lines(),
    extent: describeExtent(profile, documents),
    reads: {
      name: specName(`${namespace}-index-reads`),
      title: `${namespace}: what an index gains`,
      description: [...notes.lines(), { '@concat': ['This side is ', { '@param': 'index' }, ' the index.'] }],
      target,
      parameters,
      data: { existing: namespace },
      phases: [timedPhase('read', [operation])],
      report: mixReport,
    },
    writes: createWrites(
      { data, without: kept, with: kept.concat(compared.map(({ spec }) => spec)) },
      { name: specName(`${namespace}-index-writes`), title: `${namespace}: what an index costs`, documents },
    ),
  }
}

/** Other indexes for a collection: those that it gets, as data sets have them, and the names of those that it loses. */
export type ChangedIndexes = { readonly added: readonly JsonObject[]; readonly removed: readonly string[] }

/** Makes the spec that says what other indexes cost writes to made-up data like that of a collection. */
export function specOfIndexWrites(
  profile: CollectionProfile,
  { added, removed }: ChangedIndexes,
  named: { readonly name: string; readonly title: string; readonly documents: number },
): JsonObject {
  const { data, kept } = planCompared(profile, [], { keepValues: true, own: undefined }, createNotes())
  const left = data.indexes.filter(({ name }) => !removed.includes(name)).map(({ spec }) => spec)
  return createWrites({ data, without: kept, with: left.concat(added) }, named)
}

const target = { kind: 'existing', uriFrom: 'MONGO_PERF_URI' }

type WrittenIndexes = {
  readonly data: PlannedData
  readonly without: readonly JsonObject[]
  readonly with: readonly JsonObject[]
}

function createWrites(
  { data, ...sides }: WrittenIndexes,
  { name, title, documents }: { readonly name: string; readonly title: string; readonly documents: number },
): JsonObject {
  const indexes: Json = { '@cond': [{ '@eq': [{ '@param': 'index' }, 'with'] }, sides.with, sides.without] }
  return {
    name,
    title,
    target,
    parameters: { ...parameters, documents },
    data: { ...data.spec, indexes },
    phases: [timedPhase('write', insertAndUpdate(data, createNotes()))],
    report: mixReport,
  }
}

/** An index that does not fit into the cache costs more than a small one. */
function describeExtent({ documents: there, ...profile }: CollectionProfile, documents: number): string | null {
  if (documents >= there) return null
  const [measured, all] = [documents, there].map(groupDigits)
  const factor = (there / documents).toPrecision(2)
  return `The writes were measured on ${measured} documents. ${formatNamespace({ documents: there, ...profile })} has ${all}, so its index is ${Number(factor)} times as large: the cost is a lower bound. --documents and --budget measure more.`
}
