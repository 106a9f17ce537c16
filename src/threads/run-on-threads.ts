import { type Clock } from '../clock.ts'
import { type DataSet } from '../plan/data-set.ts'
import { isAnswered } from '../engines/engine.ts'
import { longestOutageMs } from '../faults/timeline.ts'
import { sumOfDigests } from '../plan/call-source.ts'
import { type PhasePlan, type StopAfter } from '../plan/plan.ts'
import { type ThreadHealth } from '../results/schema/client.ts'
import { createLimits } from '../schedule/limits.ts'
import { createProgress, type Pass, type Progress } from '../schedule/progress.ts'
import { type PhaseRun, type Recorder } from '../schedule/run-phase.ts'
import { type CallBatch, type EndedCall } from './call-batch.ts'
import { mergeBatches } from './merge-batches.ts'
import { type RanPass, type Request, type ThreadWork } from './messages.ts'
import { createPassMemory, openPass, type SharedPass } from './shared-pass.ts'
import { shareRows, takeRowsBack } from './shared-rows.ts'
import { startThread, type ThreadHandle } from './start-thread.ts'
import { originOf } from './thread-clock.ts'

/** How a phase went, and how its threads fared in the measured pass. */
export type ThreadedRun = PhaseRun & { readonly threads: readonly ThreadHealth[] }

export type ThreadedPhase = {
  readonly phase: PhasePlan
  /** What every thread needs, apart from its share. */
  readonly work: Omit<ThreadWork, 'workers' | 'thread' | 'rows' | 'clockOriginMs'>
  /** Their rows go on where the threads have stopped. */
  readonly dataSets: readonly DataSet[]
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly recorder: Recorder
  /** Takes the calls of the warm-up. Default: nothing does. */
  readonly unmeasured?: Recorder
  readonly onProgress: (progress: Progress) => void
  /** Both hooks are awaited outside of the window. */
  readonly onWindowStart: () => Promise<void>
  readonly onWindowEnd: () => Promise<void>
}

/**
 * Runs a phase over several threads, each with a client and a closed loop of its own: opens the pools, warms up, runs the
 * measured pass. This thread makes no calls; it is told of them, and hands them on in the order in which they ended. Whatever
 * happens, no thread is left.
 */
export async function runOnThreads(given: ThreadedPhase): Promise<ThreadedRun> {
  const { phase, work, dataSets, clock, onWindowStart, onWindowEnd } = given
  const rows = shareRows(dataSets, phase.threads)
  const clockOriginMs = originOf(clock)
  let hear = deaf
  const threads = sharesOf(phase.workers, phase.threads).map((workers, i) =>
    startThread({ ...work, workers, thread: i, rows, clockOriginMs }, (batch) => hear(i, batch)),
  )
  const runPass = async (pass: Pass, stopAfter: StopAfter, recorder: Recorder): Promise<ThreadedRun> => {
    const memory = createPassMemory(phase, pass)
    const shared = openPass(memory, stopAfter)
    await askAll(threads, { kind: 'prepare', pass, stopAfter, memory })
    const book = keepBook({ ...given, pass, stopAfter, shared, recorder })
    hear = mergeBatches(threads.length, book.add)
    if (pass === 'measured') await onWindowStart()
    const ran = await stoppable(shared, given.signal, () => askAll(threads, { kind: 'run' }))
    if (pass === 'measured') await onWindowEnd()
    return book.close(ran.flatMap((answer) => answer.ran ?? []))
  }

  try {
    await askAll(threads, { kind: 'open' })
    if (phase.warmup) await runPass('warm-up', phase.warmup, given.unmeasured ?? unrecorded)
    const run = await runPass('measured', phase.stopAfter, given.recorder)
    await askAll(threads, { kind: 'close' })
    return run
  } finally {
    await Promise.all(threads.map((thread) => thread.end()))
    takeRowsBack(dataSets, rows)
  }
}

/** Nothing is told before the first pass. */
const deaf = (_thread: number, _batch: CallBatch): void => {}

const unrecorded: Recorder = { start: () => {}, record: () => {} }

const askAll = (threads: readonly ThreadHandle[], request: Request) =>
  Promise.all(threads.map((thread) => thread.ask(request)))

/** Workers spread over threads as evenly as can be. */
export const sharesOf = (workers: number, threads: number): readonly number[] =>
  Array.from({ length: threads }, (_, i) => Math.floor((workers + i) / threads)).toReversed()

/** Has the threads take no more calls once the signal aborts. */
async function stoppable<Ran>(shared: SharedPass, signal: AbortSignal, run: () => Promise<Ran>): Promise<Ran> {
  const stop = (): void => shared.stop('aborted')
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  try {
    return await run()
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

type Book = {
  readonly add: (ended: EndedCall) => void
  readonly close: (ran: readonly RanPass[]) => ThreadedRun
}

/** Notes the calls of a pass in the order in which they ended, and ends it when nothing succeeds any more. */
function keepBook({
  phase,
  pass,
  stopAfter,
  shared,
  clock,
  signal,
  recorder,
  onProgress,
}: ThreadedPhase & { readonly pass: Pass; readonly stopAfter: StopAfter; readonly shared: SharedPass }): Book {
  const { workers, deadlineMs } = phase
  const outageMs = pass === 'measured' ? longestOutageMs(phase.faults) : 0
  const limits = createLimits({ stopAfter, workers, deadlineMs, outageMs, signal })
  const progress = createProgress({ phase: phase.name, pass, limits, report: onProgress })
  let window: { readonly startMs: number; readonly startedAt: Date } | undefined
  let endMs: number | undefined

  function open(): NonNullable<typeof window> {
    const startMs = shared.startMs() ?? clock.now()
    limits.start(startMs)
    progress.start(startMs)
    recorder.start(startMs)
    return { startMs, startedAt: new Date(clock.date().getTime() - (clock.now() - startMs)) }
  }

  return {
    add(ended) {
      window ??= open()
      endMs = ended.endMs
      const { call, outcome, startMs } = ended
      limits.answered(call.documents, isAnswered(outcome), endMs)
      recorder.record(call, startMs, endMs, outcome)
      progress.answered({ startMs, endMs, outcome })
      if (limits.documentsLeft(endMs) === 0 && limits.endedBecause() === 'everything failed')
        shared.stop('everything failed')
    },
    close(ran) {
      const startMs = window?.startMs ?? clock.now()
      const lastMs = endMs ?? startMs
      return {
        startMs,
        endMs: lastMs,
        startedAt: window?.startedAt ?? clock.date(),
        wallSeconds: (lastMs - startMs) / 1000,
        // Every worker left its loop because of a reason, so there is one.
        endedBecause: shared.endedBecause() ?? 'aborted',
        digest: sumOfDigests(ran.map(({ digest }) => digest)),
        operations: limits.operations(),
        documents: limits.documents(),
        threads: ran.map(({ health }) => health),
      }
    },
  }
}
