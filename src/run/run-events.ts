import { Problem } from '../core/errors.ts'
import { type PhasePart } from '../load/measure/phase-part.ts'
import { type PartOf } from '../load/part-sink.ts'
import { type Progress } from '../load/progress.ts'
import { type SearchKind } from '../metrics/search-words.ts'
import { type DataSetResult, type Result, type VariantResult } from '../results/schema.ts'
import { type WindowResult } from '../results/schema/windows.ts'
import { type FaultNews } from '../servers/faults/injection/inject-faults.ts'
import { type Sample } from '../servers/resources/sample.ts'

/** Position of an event in the whole run. */
export type Position = {
  readonly label: string
  /** Number of the run, from 1. */
  readonly number: number
  readonly of: number
}

/** An event of a run in progress, for people. */
export type ProgressEvent = { readonly at: Position } & (
  | { readonly kind: 'target'; readonly target: string }
  /** The servers of this row, and of the rows after it that ask for the same, answer, and are held to its limits. */
  | { readonly kind: 'ready'; readonly commands: readonly string[] }
  | {
      readonly kind: 'load'
      readonly collection: string
      readonly documents: number
      /** How many there will be; of a file, estimated from its size. */
      readonly of: number
      readonly ratePerSecond: number
    }
  /** A collection has been created, sharded or indexed, or its rules have been changed. */
  | { readonly kind: 'setUp'; readonly collection: string; readonly commands: readonly string[] }
  /** A collection is as the row wants it. */
  | { readonly kind: 'loaded'; readonly data: DataSetResult }
  | { readonly kind: 'settle' }
  | { readonly kind: 'phase'; readonly progress: Progress }
  /** A step of a search has ended. */
  | {
      readonly kind: 'step'
      readonly phase: string
      readonly load: SearchKind
      readonly step: WindowResult
    }
  /** Something was done to the servers on purpose, or undone. */
  | { readonly kind: 'fault'; readonly news: FaultNews }
  /** A check looks at the data that a phase left. */
  | { readonly kind: 'check'; readonly name: string }
  | { readonly kind: 'row'; readonly variant: VariantResult }
  | { readonly kind: 'skipped' }
)
/** A run of this row was slow, and begins again. */

export type OnProgress = (event: ProgressEvent) => void

type PartOfRow = PartOf & { readonly at: Position }

/** Everything that a run reports while it goes on. */
export type RunEvent =
  | ProgressEvent
  | { readonly kind: 'part'; readonly part: PhasePart; readonly of: PartOfRow }
  /** A sample of a server, about one a second of each. */
  | { readonly kind: 'sample'; readonly member: string; readonly sample: Sample }
  /** The result so far has changed, between rows: before the first one, after each, and at the end. */
  | { readonly kind: 'result'; readonly result: Result }

/**
 * Takes the events of a run. The end of the phase waits for what it promises, and a promise that is rejected ends the run. It must not throw
 * at a sample.
 */
export type RunListener = (event: RunEvent) => Promise<unknown> | void

/** The way of events from a run to its listeners. */
export type RunEvents = {
  readonly emit: (event: RunEvent) => void
  /**
   * Resolves when all that listeners have promised is done.
   * @throws what the first of those promises was rejected with.
   */
  readonly settled: () => Promise<void>
}

/** Hands each event to all listeners, in their order. */
export function createRunEvents(listeners: readonly RunListener[]): RunEvents {
  const pending = new Set<Promise<void>>()
  const failures: unknown[] = []

  function track(promised: Promise<unknown>): void {
    const done = promised
      .then(
        () => {},
        (reason: unknown) => void failures.push(reason),
      )
      .finally(() => pending.delete(done))
    pending.add(done)
  }

  return {
    emit(event) {
      for (const listen of listeners) {
        const promised = listen(event)
        if (promised !== undefined) track(promised)
      }
    },
    async settled() {
      await Promise.all(pending)
      if (failures.length > 0) throw failures[0]
    },
  }
}

/** Listens for the progress of a run alone. */
export const listenForProgress =
  (onProgress: OnProgress): RunListener =>
  (event) => {
    if (event.kind !== 'part' && event.kind !== 'sample' && event.kind !== 'result') onProgress(event)
  }

/**
 * A sink that is handed in. It takes the parts of all phases while they run: from each thread one a second, more when operations fail, and one
 * at the end of each pass; parts add up. It is called between operations, so what takes long belongs into what it returns: that may be a
 * promise, and the end of the phase waits for it. What it throws, or rejects with, ends the run.
 */
export type Sink = (part: PhasePart, of: PartOfRow) => unknown

/**
 * Listens for the parts of a run, and gives them to all sinks.
 * @returns a listener that throws a problem, "usage", at the part at which a sink throws, and at those after its promise was rejected.
 */
export function listenForParts(sinks: readonly Sink[]): RunListener {
  const failures: Problem[] = []

  const throwFailure = (): void => {
    if (failures[0] !== undefined) throw failures[0]
  }

  return (event) => {
    if (event.kind !== 'part') return
    const given = sinks.map(async (sink, index) => {
      try {
        await sink(event.part, event.of)
      } catch (thrown) {
        failures.push(sinkFailed(sink, index, thrown))
      }
    })
    throwFailure()
    return Promise.all(given).then(throwFailure)
  }
}

function sinkFailed({ name }: Sink, index: number, thrown: unknown): Problem {
  const which = name === '' ? `number ${index + 1}` : `"${name}"`
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  return new Problem('usage', `The sink ${which} failed: ${reason}`, {
    hint: 'Sinks see all parts or the run ends: catch in the sink what may go wrong with it.',
    cause: thrown,
  })
}
