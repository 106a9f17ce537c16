import { type Json, type JsonObject } from '../../../core/json.ts'
import { planData, type PlannedData } from '../data/data-set.ts'
import { createValueGenerator, inCall, usesRow } from '../data/draws.ts'
import { valuesOfDocuments, valuesOfSample } from '../data/value-source.ts'
import { type Draft, guessedWeights, madeFrom, readsOnly, timedLoad, timedPhase } from '../draft.ts'
import { collectionNameFor, distinctNames } from '../names.ts'
import { createNotes, type Notes, prefixNotes } from '../notes.ts'
import { planQuery } from '../query/parameterize-query.ts'
import { type OwnQuery } from '../query/read-query.ts'
import { type CollectionProfile, formatNamespace } from './collection-profile.ts'
import { findFieldPath, mainKind } from './field-path.ts'
import { operationsForIndexes, type QueryContext, unusedIndex } from './index-operations.ts'
import { planIndexes, type PlannedIndex } from './indexes.ts'
import { literal } from './kinds.ts'

/** A spec with generated data of the shape of a collection, and a call of the user's program. */
export function specOfQuery(profile: CollectionProfile, query: OwnQuery, keepValues: boolean): Draft {
  const notes = createNotes()
  const planned = planQuery(query, profile, { keepValues, isExisting: false, notes })
  const data = planData(profile, { keepValues, asked: planned.asked, notes })
  const { kind = '', ...operation } = planned.operationOn(data)
  const namespace = formatNamespace(profile)
  return {
    name: `${namespace}-query`,
    title: `${namespace}, made up: ${planned.name}`,
    description: [madeFrom(profile)],
    notes,
    data: [data],
    phases: [timedPhase('query', [{ kind, name: planned.name, ...operation }])],
  }
}

/** Collections that belong to one: a view of it, which the operations read instead, and the collections that its fields refer to. */
export type Beside = { readonly view?: CollectionProfile | undefined; readonly referred?: readonly CollectionProfile[] }

/** A spec with generated data of the shape of a collection, and operations that use its indexes. */
export function specOfCollection(
  profile: CollectionProfile,
  keepValues: boolean,
  { view, referred = [] }: Beside = {},
): Draft {
  const notes = createNotes()
  const share = 1 / (1 + referred.length)
  const data = planData(profile, { keepValues, share, notes })
  const parameterName = distinctNames(['documents', ...Object.keys(timedLoad.parameters)])
  const others = referred.map((other) => {
    const parameter = parameterName(`${other.collection.replaceAll(/\W+/g, '_')}Documents`)
    return planData(other, { parameter, keepValues, share, notes: prefixNotes(other.collection, notes) })
  })
  const reads = guessReadsOfData(data, view, notes)
  const seen = view && createViewDataSet(view, data, notes)
  const named = view || others.length > 0 ? data.collection : undefined
  const operations = [...onto(seen?.collection ?? named, reads), ...onto(named, insertAndUpdate(data, notes))]
  const all = [data, ...others]
  const namespace = formatNamespace(view ?? profile)
  return {
    name: namespace,
    title: `${namespace}, made up`,
    description: [madeFrom(profile), guessedWeights],
    notes,
    data: all,
    sets: all.map(({ spec }) => spec).concat(seen ? [seen.spec] : []),
    phases: [timedPhase('mix', operations)],
  }
}

function guessReadsOfData(data: PlannedData, view: CollectionProfile | undefined, notes: Notes): readonly JsonObject[] {
  const { kind, shape } = data.profile
  const shown = view?.shape ?? shape
  const of = view ? { of: data.collection } : {}
  // A view has neither text nor geospatial indexes.
  const isUsable = ({ key }: PlannedIndex): boolean =>
    key.every(([field, order]) => findFieldPath(shown, field) && (typeof order === 'number' || order === 'hashed'))
  const usable = view ? data.indexes.filter(isUsable) : data.indexes
  // Time series have no index on "_id", and programs do not ask for it.
  const hasId = kind !== 'timeseries' && shown.object?.fields.has('_id') !== false
  const context = { shape, source: valuesOfDocuments(data.context, of), notes }
  return createReads(usable, data.indexes, hasId ? { '@key': of } : undefined, context)
}

/** Reads by "_id" and by each index that is usable, with notes on the others. */
function createReads(
  usable: readonly PlannedIndex[],
  all: readonly { readonly name: string }[],
  id: Json | undefined,
  context: QueryContext,
): readonly JsonObject[] {
  for (const { name } of all) if (!usable.some((index) => index.name === name)) context.notes.add(unusedIndex(name))
  const byId = id === undefined ? [] : [{ kind: 'findOne', name: 'byId', weight: 20, filter: { _id: id } }]
  return [...byId, ...operationsForIndexes(usable, { ...context, weight: 20 })]
}

/** Operations on a named collection, where there are several. */
const onto = (collection: string | undefined, operations: readonly JsonObject[]): readonly JsonObject[] =>
  collection === undefined ? operations : operations.map((operation) => Object.assign({ collection }, operation))

function createViewDataSet(
  { collection, options, documents }: CollectionProfile,
  { profile, collection: viewOn }: PlannedData,
  notes: Notes,
) {
  const name = collectionNameFor(collection)
  const share = Math.round((100 * documents) / Math.max(1, profile.documents))
  notes.add(`The pipeline of the view is as it was, with the values in it.`)
  notes.add(`Reads ask for any document of ${viewOn} and find those that the view shows, ${share} % in the original.`)
  return {
    collection: name,
    spec: { collection: name, options: { viewOn, pipeline: literal(options['pipeline'] ?? []) } },
  }
}

/**
 * A spec that reads the existing collection, with values sampled from it.
 * @param query Read instead of what its indexes are for.
 */
export function specOfExisting(profile: CollectionProfile, keepValues: boolean, query?: OwnQuery): Draft {
  const notes = createNotes()
  const namespace = formatNamespace(profile)
  const operations = query
    ? [planQuery(query, profile, { keepValues, isExisting: true, notes }).operationOn(undefined)]
    : guessReadsOfExisting(profile, keepValues, notes)
  return {
    name: `${namespace}-${query ? 'existing-query' : 'existing'}`,
    title: `Reads of ${namespace}`,
    description: [...readsOnly(namespace), ...(query ? [] : [guessedWeights])],
    notes,
    data: namespace,
    phases: [timedPhase('read', operations)],
  }
}

function guessReadsOfExisting(profile: CollectionProfile, keepValues: boolean, notes: Notes): readonly JsonObject[] {
  // Notes about generated data do not apply to an existing collection.
  const usable = planIndexes(profile, { notes: createNotes(), keepValues })
  const all = profile.indexes.filter(({ name }) => name !== '_id_')
  const context = { shape: profile.shape, source: valuesOfSample, notes }
  return createReads(usable, all, { '@sample': { path: '_id' } }, context)
}

/** Kinds of fixed size: updating them never grows a document. */
const steady: ReadonlySet<string | undefined> = new Set(['int', 'long', 'double', 'date', 'boolean', 'decimal'])

/** Creates as many inserts as updates; only inserts, with a note, if no field may change. */
export function insertAndUpdate(data: PlannedData, notes: Notes): readonly JsonObject[] {
  const { kind, options } = data.profile
  const update = options['capped'] === true || kind === 'timeseries' ? undefined : updateById(data)
  if (update === undefined) notes.add('Nothing is updated: no field may change.')
  return [{ kind: 'insertOne', weight: 10 }, ...(update === undefined ? [] : [update])]
}

/** An update of one field of a document by its `_id`. Undefined if there is no field to change. */
function updateById({ profile, spec, context, indexes }: PlannedData): JsonObject | undefined {
  const document = spec['document'] as Readonly<Record<string, Json>>
  const indexed = new Set(indexes.flatMap(({ key }) => key.map(([field]) => field)))
  const fields = [...(profile.shape.object?.fields ?? [])].filter(
    ([name]) =>
      name !== '_id' &&
      Object.hasOwn(document, name) &&
      !name.includes('.') &&
      name !== '' &&
      !context.unique.has(name) &&
      !usesRow(document[name] ?? null),
  )
  const chosen =
    fields.find(([name, shape]) => !indexed.has(name) && steady.has(mainKind(shape))) ??
    fields.find(([name, shape]) => !indexed.has(name) && mainKind(shape) === 'string') ??
    fields.find(([, shape]) => steady.has(mainKind(shape)) || mainKind(shape) === 'string')
  if (!chosen) return undefined
  const [name, shape] = chosen
  const update = { $set: { [name]: createValueGenerator(shape, name, inCall(context)) } }
  return { kind: 'updateOne', weight: 10, filter: { _id: { '@key': {} } }, update }
}
