import { type Json, type JsonObject } from '../../../core/json.ts'
import { planData, type PlannedData } from '../data/data-set.ts'
import { createValueGenerator, inCall, usesRow } from '../data/draws.ts'
import { valuesOfDocuments, valuesOfSample } from '../data/value-source.ts'
import { collectionNameFor, distinctNames, specName } from '../names.ts'
import { createNotes, type Notes, prefixNotes } from '../notes.ts'
import { planQuery } from '../query/parameterize-query.ts'
import { type OwnQuery } from '../query/read-query.ts'
import { type CollectionProfile, formatNamespace } from './collection-profile.ts'
import { findFieldPath, mainKind } from './field-path.ts'
import { operationsForIndexes, unusedIndex } from './index-operations.ts'
import { planIndexes, type PlannedIndex } from './indexes.ts'
import { literal } from './kinds.ts'

/** A generated spec, with what to report about it. */
export type MadeSpec = {
  readonly spec: JsonObject
  readonly notes: readonly string[]
  /** Real values in the spec, by field. */
  readonly copied: readonly string[]
  /** The topology that the spec starts, of the same kind as the original. Absent: it measures a running server, or has no original. */
  readonly starts?: string
}

const indexWeight = 20

/** A spec with generated data of the shape of a collection, and a call of the user's program. */
export function specOfQuery(profile: CollectionProfile, query: OwnQuery, keepValues: boolean): MadeSpec {
  const notes = createNotes()
  const planned = planQuery(query, profile, { keepValues, isExisting: false, notes })
  const data = planData(profile, { parameter: 'documents', keepValues, share: 1, asked: planned.asked, notes })
  const { kind = '', ...operation } = planned.operationOn(data)
  const namespace = formatNamespace(profile)
  const lines = notes.lines()
  const spec = {
    name: specName(`${namespace}-query`),
    title: `${namespace}, made up: ${planned.name}`,
    description: [madeFrom(profile), ...lines],
    ...createSizes([data]),
    data: data.spec,
    phases: [timedPhase('query', [{ kind, name: planned.name, ...operation }])],
    report: mixReport,
  }
  return { spec, notes: lines, copied: notes.copiedLines() }
}

/** The parameters of a spec with generated data, and profiles for all documents and for few. */
function createSizes(data: readonly PlannedData[]): JsonObject {
  const sizes = (size: (one: PlannedData) => number): JsonObject =>
    Object.fromEntries(data.map((one) => [one.context.parameter, size(one)]))
  return {
    parameters: { ...sizes(({ documents }) => documents), ...loadParameters },
    profiles: {
      ...(data.some(({ documents, profile }) => documents < profile.documents)
        ? { full: sizes(({ profile }) => profile.documents) }
        : {}),
      smoke: { ...sizes(({ documents }) => Math.min(documents, 1000)), ...smokeParameters },
    },
  }
}

/** Collections that belong to one: a view of it, which the operations read instead, and the collections that its fields refer to. */
export type Beside = { readonly view?: CollectionProfile | undefined; readonly referred?: readonly CollectionProfile[] }

/** A spec with generated data of the shape of a collection, and operations that use its indexes. */
export function specOfCollection(
  profile: CollectionProfile,
  keepValues: boolean,
  { view, referred = [] }: Beside = {},
): MadeSpec {
  const notes = createNotes()
  const share = 1 / (1 + referred.length)
  const data = planData(profile, { parameter: 'documents', keepValues, share, asked: [], notes })
  const parameterName = distinctNames(['documents', ...Object.keys(loadParameters)])
  const others = referred.map((other) =>
    planData(other, {
      parameter: parameterName(`${other.collection.replaceAll(/\W+/g, '_')}Documents`),
      keepValues,
      share,
      asked: [],
      notes: prefixNotes(other.collection, notes),
    }),
  )
  const of = view ? { of: data.collection } : {}
  const source = valuesOfDocuments(data.context, of)
  const shown = view?.shape ?? profile.shape
  // A view has neither text nor geospatial indexes.
  const isUsable = ({ key }: PlannedIndex): boolean =>
    view === undefined ||
    key.every(([field, kind]) => findFieldPath(shown, field) && (typeof kind === 'number' || kind === 'hashed'))
  const usable = data.indexes.filter(isUsable)
  for (const { name } of data.indexes) if (!usable.some((index) => index.name === name)) notes.add(unusedIndex(name))
  const byId = { kind: 'findOne', name: 'byId', weight: 20, filter: { _id: { '@key': of } } }
  const reads = [
    // Time series have no index on "_id", and programs do not ask for it.
    ...(shown.object?.fields.has('_id') === false || profile.kind === 'timeseries' ? [] : [byId]),
    ...operationsForIndexes(usable, { shape: profile.shape, source, weight: indexWeight, notes }),
  ]
  const seen = view && createViewDataSet(view, data, notes)
  const named = view || others.length > 0 ? data.collection : undefined
  const operations = [...onto(seen?.collection ?? named, reads), ...onto(named, insertAndUpdate(data, notes))]
  const sets = [data, ...others].map((one) => one.spec).concat(seen ? [seen.spec] : [])
  const namespace = formatNamespace(view ?? profile)
  const lines = notes.lines()
  const spec = {
    name: specName(namespace),
    title: `${namespace}, made up`,
    description: [
      madeFrom(profile),
      'The weights of the operations are a guess: set them to what your program does.',
      ...lines,
    ],
    ...createSizes([data, ...others]),
    data: sets.length > 1 ? sets : data.spec,
    phases: [timedPhase('mix', operations)],
    report: mixReport,
  }
  return { spec, notes: lines, copied: notes.copiedLines() }
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

/** The sentence of a description that names the original. */
export const madeFrom = (profile: CollectionProfile): string =>
  `Made from ${profile.sampled} of ${profile.documents} documents of ${formatNamespace(profile)} (${Math.round(profile.meanBytes)} bytes each), and its indexes.`

/** Default parameters of the load of a generated spec. */
export const loadParameters = { workers: 8, seconds: 10, warmupSeconds: 2 }
/** The same parameters for the profile "smoke". */
export const smokeParameters = { seconds: 1, warmupSeconds: 0.2 }

/** A phase with a closed loop that stops after a number of seconds. */
export const timedPhase = (name: string, operations: readonly Json[]): JsonObject => ({
  name,
  load: { kind: 'closed', workers: { '@param': 'workers' } },
  warmup: { seconds: { '@param': 'warmupSeconds' } },
  stopAfter: { seconds: { '@param': 'seconds' } },
  operations,
})

/** A report on throughput and latency of each operation, and on the server's work for it. */
export const mixReport: JsonObject = {
  tables: [
    {
      title: 'Performance',
      rows: 'operations',
      columns: [
        { row: 'operation' },
        'operations',
        'documents',
        'opsPerSecond',
        'meanMs',
        'p50Ms',
        'p95Ms',
        'p99Ms',
        'errors',
      ],
    },
    {
      title: 'Resource Usage',
      columns: [
        'opsPerSecond',
        'docsExaminedPerOperation',
        'keysExaminedPerOperation',
        'serverLatencyMs',
        'cpuPercent',
        'ioWaitPercent',
        'pagesReadPerSecond',
      ],
    },
  ],
  charts: [
    { kind: 'percentiles', series: [{ row: 'operation' }] },
    { kind: 'line', x: 'second', y: ['opsPerSecond'] },
  ],
}

/**
 * A spec that reads the existing collection, with values sampled from it.
 * @param query Read instead of what its indexes are for.
 */
export function specOfExisting(profile: CollectionProfile, keepValues: boolean, query?: OwnQuery): MadeSpec {
  const notes = createNotes()
  const namespace = formatNamespace(profile)
  const operations = query
    ? [planQuery(query, profile, { keepValues, isExisting: true, notes }).operationOn(undefined)]
    : guessReads(profile, keepValues, notes)
  const lines = notes.lines()
  const spec = {
    name: specName(`${namespace}-${query ? 'existing-query' : 'existing'}`),
    title: `Reads of ${namespace}`,
    description: [
      ...readsOnly(namespace),
      ...(query ? [] : ['The weights of the operations are a guess: set them to what your program does.']),
      ...lines,
    ],
    target: { kind: 'existing', uriFrom: 'MONGO_PERF_URI' },
    parameters: loadParameters,
    profiles: { smoke: smokeParameters },
    data: { existing: namespace },
    phases: [timedPhase('read', operations)],
    report: mixReport,
  }
  return { spec, notes: lines, copied: [] }
}

/** The description of a spec that reads a collection itself. */
export const readsOnly = (namespace: string): readonly string[] => [
  `Reads ${namespace} as it is and writes nothing: values are drawn from a sample of it.`,
  'Before it runs, MONGO_PERF_URI has to hold the URI of the server.',
]

function guessReads(profile: CollectionProfile, keepValues: boolean, notes: Notes): readonly JsonObject[] {
  // Notes about generated data do not apply to an existing collection.
  const indexes = planIndexes(profile, { notes: createNotes(), keepValues })
  for (const { name } of profile.indexes)
    if (name !== '_id_' && !indexes.some((index) => index.name === name)) notes.add(unusedIndex(name))
  const onIndexes = { shape: profile.shape, source: valuesOfSample, weight: indexWeight, notes }
  return [
    { kind: 'findOne', name: 'byId', weight: 20, filter: { _id: { '@sample': { path: '_id' } } } },
    ...operationsForIndexes(indexes, onIndexes),
  ]
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
