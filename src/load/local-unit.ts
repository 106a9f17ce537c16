import { type Clock } from '../core/clock.ts'
import { type StartTimer, type FineTimer } from '../core/threads/fine-timer.ts'
import { BsonWriter } from '../protocol/bson/writer.ts'
import { type Connections, isAnswered, type Outcome, type PhaseEngine } from './engines/engine.ts'
import { type EvidenceObserver, type EvidenceRequest, observeEvidence } from './evidence.ts'
import { type LoadUnit, type RunRequest, type UnitPart, type UnitRun } from './load-unit.ts'
import { closedLoop, type LoopOptions, type Throttle, type WaitingWorker } from './loops/closed-loop.ts'
import { createLimits, type Limits } from './loops/limits.ts'
import { type ArrivalListener, openLoop, type OpenLoopEnd } from './loops/open-loop.ts'
import { PhaseRecorder } from './measure/phase-part.ts'
import { type CallSource, type LoadedPhase, type OperationPlan, type PlannedCall } from './plan/plan.ts'
import { type NumberedRows } from './plan/row-numbers.ts'
import { type Share } from './plan/share.ts'

const betweenPartsMs = 1000
/** A part that is early, because calls fail, comes no sooner after the one before. */
const minBetweenPartsMs = 100

/** Makes the calls of a pass by itself, and records each. */
type OwnLoop = (
  options: Omit<LoopOptions, 'next' | 'send'> & {
    readonly startMs: number
    /** Wakes the loop, so that `isOver` is asked. */
    readonly signal: AbortSignal
    readonly noteIdle: Limits['noteIdle']
    readonly listener: ArrivalListener
  },
) => Promise<OpenLoopEnd>

/** Calls that come from elsewhere than the operations of the phase, and are sent by their own loop. */
export type OwnCalls = Omit<CallSource, 'next' | 'pauseMs'> & { readonly loop: OwnLoop }

/** Options of a load unit in this thread. */
export type LocalUnitOptions = Work & {
  readonly phase: LoadedPhase
  readonly share: Share
  /** Data sets that the phase was compiled with. */
  readonly dataSets: readonly NumberedRows[]
  readonly clock: Clock
  /** Starts what wakes an open loop. Default: the clock does. */
  readonly startTimer?: StartTimer | undefined
  /** Evidence to observe in its calls. */
  readonly evidence: readonly EvidenceRequest[]
  /** Asked before each call: when it is false, the unit stops as if it had been aborted. Default: always true. */
  readonly mayGoOn?: (() => boolean) | undefined
}

/** The sender: an engine for the calls of the phase, or own calls themselves. */
type Work =
  | { readonly engine: PhaseEngine; readonly own?: undefined }
  | { readonly engine: Connections; readonly own: OwnCalls }

/** A unit of load that runs in this thread. */
export function createLocalUnit(options: LocalUnitOptions): LoadUnit {
  const { phase, share, dataSets, engine, evidence, startTimer } = options
  const observers = evidence.map((request) => observeEvidence(request, phase))
  const stopping = new AbortController()
  const encodesInto = canEncode(phase, evidence) ? new BsonWriter() : undefined
  let source: CallSource | undefined
  let timer: FineTimer | undefined
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => (closed ??= engine.close())

  async function connect(workers: number): Promise<void> {
    await engine.warmUp(workers)
    if (phase.load.kind === 'open') timer ??= await startTimer?.()
  }

  function callsOf({ pass, stopAfter, firstRows, goesOn }: RunRequest): CallSource {
    if (goesOn && source !== undefined) return source
    for (const [i, { numbers }] of dataSets.entries())
      numbers.beginPass(firstRows[i] ?? numbers.next(), share, 'in order')
    return (source = phase.calls(pass, stopAfter, share, encodesInto))
  }

  return {
    shares: 1,
    leadMs: 0,
    connect,
    async run(request, onPart) {
      try {
        const sending = options.own ?? { engine: options.engine, calls: callsOf(request) }
        return [await runPass({ ...options, request, sending, observers, onPart, stopping, timer })]
      } catch (bug) {
        stopping.abort()
        throw bug
      }
    },
    stop: (reason) => stopping.abort(reason),
    abandon: () => void close(),
    close,
    async end() {
      await close()
      await timer?.end()
    },
  }
}

/** Bytes are overwritten by the next call: what looks at documents after their reply needs them as values. */
const canEncode = ({ engine }: LoadedPhase, evidence: readonly EvidenceRequest[]): boolean =>
  engine === 'wire' && !evidence.some(({ kind }) => kind === 'inserts')

/** The calls of a pass, with what sends them. */
type Sending = OwnCalls | { readonly engine: PhaseEngine; readonly calls: CallSource }

type PassOptions = LocalUnitOptions & {
  readonly request: RunRequest
  readonly sending: Sending
  readonly observers: readonly EvidenceObserver[]
  readonly onPart: (part: UnitPart) => void
  readonly stopping: AbortController
  readonly timer: FineTimer | undefined
}

async function runPass(options: PassOptions): Promise<UnitRun> {
  const { phase, dataSets, engine, clock, request, sending, observers, onPart, stopping } = options
  const calls = 'loop' in sending ? sending : sending.calls
  const { signal } = stopping
  const { pass, stopAfter, workers, startMs, windowStartMs } = request
  const { deadlineMs, maxOutageMs } = phase
  const outageMs = pass === 'measured' ? maxOutageMs : 0
  const budgetUsedUp = calls.endedBecause
  const limits = createLimits({ stopAfter, budgetUsedUp, workers, deadlineMs, outageMs, startMs, signal })
  const recorder = new PhaseRecorder(phase, windowStartMs)
  engine.watchPool?.((ms) => recorder.recordPoolWait(ms))
  const drawnBefore = calls.drawn()
  let count = 0
  let handedOverMs = -Infinity

  function handOver(nowMs: number, isLast = false): void {
    handedOverMs = nowMs
    onPart({
      recorded: recorder.take(),
      evidence: observers.map((observer) => observer.take()),
      completeBefore: Math.floor((nowMs - windowStartMs) / betweenPartsMs),
      inFlight: calls.drawn() - drawnBefore - count,
      isLast,
    })
  }

  // Runs once per call: nothing in here that could be done once per second.
  function record(call: PlannedCall, sentMs: number, endMs: number, outcome: Outcome): void {
    const isOk = isAnswered(outcome)
    count += 1
    limits.answered(isOk, endMs)
    const isShort = recorder.record(call, sentMs, endMs, outcome)
    const asSent = outcome.kind === 'ok' ? (outcome.expected ?? outcome) : outcome
    for (const observer of observers) observer.observe(call, asSent)
    calls.answered?.(call, endMs - sentMs)
    if ((!isOk || isShort) && endMs - handedOverMs >= minBetweenPartsMs) handOver(endMs)
  }

  if (startMs > clock.now()) await clock.sleep(startMs - clock.now(), signal)
  const beganMs = clock.now()
  const end = await whileHandingOver(() => runLoop(options, { limits, recorder, record }), handOver, options)
  handOver(Math.max(end.endMs, clock.now()), true)
  return {
    // A loop ends because of a reason, so there is one.
    endedBecause: limits.endedBecause() ?? 'aborted',
    beganMs,
    endMs: end.endMs,
    digest: calls.digest(),
    calls: count,
    rows: dataSets.map(({ numbers }) => numbers.ofPass()),
    openLoop: 'peakInFlight' in end ? { sentUntilMs: end.sentUntilMs, peakInFlight: end.peakInFlight } : undefined,
    health: undefined,
  }
}

type Recording = { readonly limits: Limits; readonly recorder: PhaseRecorder; readonly record: LoopOptions['record'] }

async function runLoop(
  options: PassOptions,
  { limits, recorder, record }: Recording,
): Promise<OpenLoopEnd | { readonly endMs: number }> {
  const { phase, share, clock, timer, request, sending, stopping, mayGoOn } = options
  const { pass, stopAfter, workers, startMs } = request
  function isOver(nowMs: number): boolean {
    if (mayGoOn?.() === false) stopping.abort()
    return limits.isOver(nowMs)
  }
  const common = { isOver: mayGoOn === undefined ? limits.isOver : isOver, record, startMs }
  const arriving = {
    ...common,
    clock: { ...clock, ...(timer && { sleep: timer.sleep }) },
    signal: stopping.signal,
    noteIdle: limits.noteIdle,
    listener: recorder,
  }
  if ('loop' in sending) return await sending.loop(arriving)
  const { engine, calls } = sending
  const sent = { next: calls.next, send: expectErrors(engine.send, phase.operations) }
  if (phase.load.kind !== 'open') {
    const throttle = createThrottle(options, calls, limits)
    return { endMs: await closedLoop({ ...common, ...sent, clock, workers, throttle }) }
  }
  return await openLoop({
    ...arriving,
    ...sent,
    times: phase.load.times(pass, share),
    seconds: stopAfter.seconds,
    maxInFlight: workers,
  })
}

/** Makes calls done that end with no other errors than their operation expects. */
function expectErrors(send: PhaseEngine['send'], operations: readonly OperationPlan[]): PhaseEngine['send'] {
  const expected = operations.map((plan) => ('expectErrors' in plan ? plan.expectErrors : undefined))
  if (expected.every((codes) => codes === undefined)) return send
  return (call, done) =>
    send(call, (outcome) => {
      const codes = expected[call.operation]
      const isExpected =
        outcome.kind === 'failed' && (outcome.codes ?? [outcome.code]).every((code) => codes?.has(code) === true)
      done(isExpected ? { kind: 'ok', reply: outcome.reply, expected: outcome } : outcome)
    })
}

/** Undefined: the workers of the phase are not held back. They take turns, over all units, and pause after their calls. */
function createThrottle(
  { phase, share, request: { startMs, stopAfter, workers }, stopping }: PassOptions,
  { pauseMs }: CallSource,
  { noteIdle }: Limits,
): Throttle | undefined {
  const { load } = phase
  const rate = load.kind === 'closed' ? load.maxRatePerSecond : undefined
  if (rate === undefined && pauseMs === undefined) return undefined
  const toTurn = ({ number, calls }: WaitingWorker): number =>
    rate === undefined ? 0 : ((calls * phase.workers + number * share.of + share.index) * 1000) / rate
  // Each worker starts at a random point of its first pause: they do not begin all at once.
  const toEndOfPause = ({ number, call, endMs }: WaitingWorker): number =>
    pauseMs === undefined
      ? 0
      : call === undefined
        ? (pauseMs(number * share.of + share.index) * (number + 0.5)) / workers
        : endMs - startMs + pauseMs(call.number)
  return {
    dueMs: (worker) => startMs + Math.max(toTurn(worker), toEndOfPause(worker)),
    endMs: startMs + (stopAfter.seconds ?? Infinity) * 1000,
    signal: stopping.signal,
    noteIdle,
  }
}

/** Passes on what has been measured at the beginning of every second of the window, whether or not calls end. */
async function whileHandingOver<End>(
  makeCalls: () => Promise<End>,
  handOver: (nowMs: number) => void,
  { clock, request: { windowStartMs } }: Pick<PassOptions, 'clock' | 'request'>,
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
