import { type Clock } from '../clock.ts'
import { isAnswered, type Outcome, type PhaseEngine } from '../engines/engine.ts'
import { maxOutageMs } from '../faults/timeline.ts'
import { PhaseRecorder } from '../measure/phase-part.ts'
import { type DataSet } from '../plan/data-set.ts'
import { type CallSource, type PhasePlan, type PlannedCall } from '../plan/plan.ts'
import { type Share } from '../plan/share.ts'
import { closedLoop } from './closed-loop.ts'
import { type EvidenceRequest, observeEvidence } from './evidence.ts'
import { createLimits } from './limits.ts'
import { type LoadUnit, type RunRequest, type UnitPart, type UnitRun } from './load-unit.ts'
import { openLoop, type OpenLoopEnd } from './open-loop.ts'

const betweenPartsMs = 1000
/** A part that is early, because calls fail, comes no sooner after the one before. */
const minBetweenPartsMs = 100

export type LocalUnitOptions = {
  readonly phase: PhasePlan
  readonly share: Share
  /** Those that the phase was compiled with. */
  readonly dataSets: readonly DataSet[]
  readonly engine: PhaseEngine
  readonly clock: Clock
  /** What is to be observed of its calls. */
  readonly evidence: readonly EvidenceRequest[]
}

/** A unit of load that runs in this thread. */
export function createLocalUnit({ phase, share, dataSets, engine, clock, evidence }: LocalUnitOptions): LoadUnit {
  const observers = evidence.map((request) => observeEvidence(request, phase))
  const stopping = new AbortController()
  let source: CallSource | undefined

  function callsOf({ pass, stopAfter, firstRows, goesOn }: RunRequest): CallSource {
    if (goesOn && source !== undefined) return source
    for (const [i, { numbers }] of dataSets.entries())
      numbers.beginPass(firstRows[i] ?? numbers.next(), share, 'in order')
    return (source = phase.calls(pass, stopAfter, share))
  }

  return {
    connect: engine.warmUp,
    async run(request, onPart) {
      const { load } = phase
      const { pass, stopAfter, workers, startMs, windowStartMs } = request
      const calls = callsOf(request)
      const outageMs = pass === 'measured' ? maxOutageMs(phase.faults) : 0
      const limits = createLimits({
        stopAfter,
        budgetUsedUp: calls.endedBecause,
        workers,
        deadlineMs: phase.deadlineMs,
        outageMs,
        startMs,
        signal: stopping.signal,
      })
      const recorder = new PhaseRecorder(phase, windowStartMs)
      let count = 0
      let partMs = startMs

      function handOver(nowMs: number): void {
        partMs = nowMs
        onPart(takePart(recorder, nowMs - windowStartMs))
      }

      function takePart(recorded: PhaseRecorder, atMs: number): UnitPart {
        return {
          recorded: recorded.take(),
          evidence: observers.map((observer) => observer.take()),
          completeBefore: Math.floor(atMs / 1000),
        }
      }

      const loop = {
        clock,
        isOver: limits.isOver,
        next: calls.next,
        send: engine.send,
        record(call: PlannedCall, sentMs: number, endMs: number, outcome: Outcome) {
          const isOk = isAnswered(outcome)
          count += 1
          limits.answered(isOk, endMs)
          recorder.record(call, sentMs, endMs, outcome)
          for (const observer of observers) observer.observe(call, outcome)
          calls.answered?.(call, endMs - sentMs)
          if (!isOk && endMs - partMs >= minBetweenPartsMs) handOver(endMs)
        },
      }

      async function makeCalls(): Promise<OpenLoopEnd | { readonly endMs: number }> {
        if (load.kind !== 'open') return { endMs: await closedLoop({ ...loop, workers, startMs }) }
        return await openLoop({
          ...loop,
          times: load.times(pass, share),
          seconds: stopAfter.seconds,
          maxInFlight: workers,
          startMs,
          signal: stopping.signal,
          rested: limits.rested,
          listener: {
            dropped: (plannedMs) => recorder.recordDropped(plannedMs),
            answered: (call, plannedMs, sentMs, endMs, outcome) =>
              recorder.recordArrival(call, plannedMs, sentMs, endMs, outcome),
          },
        })
      }

      if (startMs > clock.now()) await clock.sleep(startMs - clock.now(), stopping.signal)
      const end = await whileHandingOver(makeCalls, handOver, windowStartMs, clock).catch((bug: unknown) => {
        stopping.abort()
        throw bug
      })
      handOver(Math.max(end.endMs, clock.now()))
      return {
        // A loop ends because of a reason, so there is one.
        endedBecause: limits.endedBecause() ?? 'aborted',
        endMs: end.endMs,
        digest: calls.digest(),
        calls: count,
        rows: dataSets.map(({ numbers }) => ({ next: numbers.next(), taken: numbers.taken() })),
        openLoop: 'peakInFlight' in end ? end : undefined,
        health: undefined,
      }
    },
    stop: () => stopping.abort(),
    abandon: () => void engine.close(),
    close: engine.close,
    end: engine.close,
  }
}

/** Hands over what has been measured at the beginning of every second of the window, whether or not calls end. */
async function whileHandingOver<End>(
  makeCalls: () => Promise<End>,
  handOver: (nowMs: number) => void,
  windowStartMs: number,
  clock: Clock,
): Promise<End> {
  const over = new AbortController()
  const untilNextMs = (): number => betweenPartsMs - ((clock.now() - windowStartMs) % betweenPartsMs)
  async function handOverRegularly(): Promise<void> {
    for (;;) {
      await clock.sleep(Math.ceil(untilNextMs()), over.signal)
      if (over.signal.aborted) return
      handOver(clock.now())
    }
  }
  const handing = handOverRegularly()
  try {
    // What a listener throws ends the run, which has no other way to learn of it.
    return await Promise.race([makeCalls(), handing.then((): Promise<never> => new Promise(() => {}))])
  } finally {
    over.abort()
    await handing.catch(() => {})
  }
}
