import { serialize } from 'bson'
import { entryPath } from '../../core/entries.ts'
import { createWorker } from '../../core/threads/create-worker.ts'
import { fromBson } from '../../language/values/from-bson.ts'
import type { EvidenceRequest } from '../../load/evidence.ts'
import type { LoadUnit } from '../../load/load-unit.ts'
import type { Share } from '../../load/plan/share.ts'
import { startThreadUnit } from '../../load/threads/thread-unit.ts'
import type { DataSet } from '../../spec/plan/data-set.ts'
import type { DataSetSpec } from '../../spec/schema/data-schema.ts'
import type { PhaseSpec } from '../../spec/schema/phase-schema.ts'

export type ReplayOfAgent = {
  /** The recording, on this machine. */
  readonly file: string
  /** How it is replayed, as the run has sent it: whoever replays it validates it. */
  readonly given: unknown
  /** Databases that this machine allows to write to. */
  readonly allowWrites: readonly string[]
  /** Whether it allows calls that run JavaScript on the server. */
  readonly allowJavaScript: boolean
}

/** Source from which a thread makes its unit of load: all of it can be copied. */
export type ThreadWork = {
  /** A secret: appears in no message. */
  readonly uri: string
  readonly database: string
  readonly seed: number
  readonly data: readonly DataSetSpec[]
  readonly phase: PhaseSpec
  readonly share: Share
  /** For each data set, the first row number that may be given out. */
  readonly firstRows: readonly number[]
  readonly samples: readonly PackedSamples[]
  readonly evidence: readonly EvidenceRequest[]
  /** The module of the functions that the phase calls. Undefined: it calls none. */
  readonly functionsFrom: string | undefined
  /** Origin of the main thread's clock; see thread-clock.ts. */
  readonly clockOriginMs: number
  /** Time in shared memory: when the process's own clock shows it, no further call goes out. Absent: calls go out until the unit is stopped. */
  readonly mayRunUntil?: Float64Array
  /** Its calls come from a recording. Absent: from the operations of the phase. */
  readonly replay?: ReplayOfAgent | undefined
}

/** Starts a thread that compiles its share of a phase, and runs it. */
export const startLoadThread = (work: ThreadWork): LoadUnit =>
  startThreadUnit(
    createWorker(
      entryPath(work.replay === undefined ? 'run/threads/thread-main' : 'traffic/replay/replay-thread'),
      work,
    ),
  )

/** Values that `@sample` draws, on their way to a thread: objects lose their class there, BSON does not. */
type PackedSamples = {
  /** Position of the data set in the spec. */
  readonly dataSet: number
  readonly path: string
  /** A document for each value. */
  readonly values: readonly Uint8Array[]
}

/** @param paths Those that were read, by collection. */
export function packSamples(
  dataSets: readonly DataSet[],
  paths: ReadonlyMap<string, ReadonlySet<string>>,
): readonly PackedSamples[] {
  return dataSets.flatMap(({ spec, samples }, dataSet) =>
    [...(paths.get(spec.collection) ?? [])].map((path) => ({
      dataSet,
      path,
      values: (samples(path) ?? []).map((value) => serialize({ value })),
    })),
  )
}

export function unpackSamples(dataSets: readonly DataSet[], packed: readonly PackedSamples[]): void {
  for (const { dataSet, path, values } of packed)
    dataSets[dataSet]?.keepSamples(
      path,
      values.map((bytes) => fromBson(bytes)['value']),
    )
}
