import { type Json, type JsonObject } from '../../core/json.ts'
import { formatQuantity, groupDigits } from '../../core/quantities.ts'
import { minRounds } from '../../statistics/estimate.ts'
import { type CollectionProfile, formatNamespace } from './collection/collection-profile.ts'
import { type PlannedData } from './data/data-set.ts'
import { specName } from './names.ts'
import { type Notes } from './notes.ts'
import { type Topology } from './topology.ts'

/** A generated spec, with what to report about it. */
export type MadeSpec = {
  readonly spec: JsonObject
  readonly notes: readonly string[]
  /** Real values in the spec, by field. */
  readonly copied: readonly string[]
  /** The topology that the spec starts, of the same kind as the original. Absent: it measures a running server, or has no original. */
  readonly starts?: string
}

/** Parameters of the load of a spec, and those of its profile "smoke". */
export type LoadParameters = { readonly parameters: JsonObject; readonly smoke: JsonObject }

/** A spec before it is written: what differs from one kind of generated spec to the other. */
export type Draft = {
  readonly name: string
  readonly title: string
  /** Sentences in front of the notes. */
  readonly description: readonly string[]
  readonly notes: Notes
  /** The topology of the original. Default: the spec names no server. */
  readonly topology?: Pick<Topology, 'target' | 'name'>
  /** Generated data; or the namespace of the collection that is read as it is. */
  readonly data: readonly PlannedData[] | string
  /** Data sets in the spec. Default: those of the data. */
  readonly sets?: readonly JsonObject[]
  /** Default: those of a phase that lasts for a time. */
  readonly load?: LoadParameters
  /** Compared with each other, in as many rounds as a verdict needs. */
  readonly variants?: JsonObject
  readonly phases: readonly JsonObject[]
  /** Default: throughput and latency of each operation. */
  readonly report?: JsonObject
}

export const timedLoad = {
  parameters: { workers: 8, seconds: 10, warmupSeconds: 2 },
  smoke: { seconds: 1, warmupSeconds: 0.2 },
} as const satisfies LoadParameters

export function writeDraft(draft: Draft): MadeSpec {
  const { notes, topology, variants } = draft
  const lines = notes.lines()
  const sets = listSets(draft)
  const spec: JsonObject = {
    name: specName(draft.name),
    title: draft.title,
    description: [...draft.description, ...lines],
    ...(topology && { target: topology.target }),
    ...createParameters(draft),
    ...(variants && { variants }),
    data: sets.length === 1 ? (sets[0] ?? {}) : sets,
    phases: draft.phases,
    // With fewer, its ratios have no verdicts.
    ...(variants && { repeat: { times: minRounds } }),
    report: draft.report ?? mixReport,
  }
  return { spec, notes: lines, copied: notes.copiedLines(), ...(topology && { starts: topology.name }) }
}

export const listSets = ({ data, sets }: Draft): readonly JsonObject[] =>
  sets ?? (typeof data === 'string' ? [{ existing: data }] : data.map(({ spec }) => spec))

function createParameters({ data, load = timedLoad }: Draft): JsonObject {
  const { parameters, smoke } = load
  return typeof data === 'string'
    ? { target: { kind: 'existing', uriFrom: 'MONGO_PERF_URI' }, parameters, profiles: { smoke } }
    : createSizes(data, load)
}

/** The parameters of a spec with generated data, and profiles for all documents and for few. */
function createSizes(data: readonly PlannedData[], { parameters, smoke }: LoadParameters): JsonObject {
  const sizes = (size: (one: PlannedData) => number): JsonObject =>
    Object.fromEntries(data.map((one) => [one.context.parameter, size(one)]))
  const isCut = data.some(({ documents, profile }) => documents < profile.documents)
  return {
    parameters: { ...sizes(({ documents }) => documents), ...parameters },
    profiles: {
      ...(isCut && { full: sizes(({ documents, profile }) => profile.documents || documents) }),
      smoke: { ...sizes(({ documents }) => Math.min(documents, 1000)), ...smoke },
    },
  }
}

/** The sentence of a description that names the original. */
export const madeFrom = (profile: CollectionProfile): string =>
  `Made from ${groupDigits(profile.sampled)} of ${formatQuantity(profile.documents, 'document')} of ${formatNamespace(profile)} (${Math.round(profile.meanBytes)} bytes each), and its indexes.`

/** The sentence about operations that no call of the user is known for. */
export const guessedWeights = 'The weights of the operations are a guess: set them to what your program does.'

/** The description of a spec that reads a collection itself. */
export const readsOnly = (namespace: string): readonly string[] => [
  `Reads ${namespace} as it is and writes nothing: values are drawn from a sample of it.`,
  'Before it runs, MONGO_PERF_URI has to hold the URI of the server.',
]

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
