import { type Clock } from '../../core/clock.ts'
import { type Outcome, type PhaseEngine } from '../engines/engine.ts'
import { type PlannedCall } from '../plan/plan.ts'

/** Options common to all loops. All times are the clock's, in milliseconds. */
export type LoopOptions = {
  readonly clock: Clock
  /** Asked before every call whether there is one more. */
  readonly isOver: (nowMs: number) => boolean
  readonly next: () => PlannedCall
  readonly send: PhaseEngine['send']
  readonly record: (call: PlannedCall, sentMs: number, endMs: number, outcome: Outcome) => void
}

type ClosedLoopOptions = LoopOptions & {
  readonly workers: number
  readonly startMs: number
  /** Holds the workers back. Default: each is as fast as its answers. */
  readonly throttle?: Throttle | undefined
}

/** A closed loop whose workers are held back. */
export type Throttle = {
  /** Returns the time when a worker may make its next call, the same however often it is asked. */
  readonly dueMs: (worker: WaitingWorker) => number
  /** The loop ends then at the latest, so that no worker sleeps beyond it. */
  readonly endMs: number
  /** Wakes the workers, so that `isOver` is asked. */
  readonly signal: AbortSignal
  /** No call was under way for so long, because none was due. */
  readonly noteIdle: (ms: number) => void
}

/**
 * Every worker waits for its answer before it makes its next call. Timed is `send` alone: a call is built before its clock
 * starts and recorded after it has stopped, with one pair of clock readings and no promise. Whatever goes wrong with a call
 * is its outcome; a throw from `next`, `send` or `record` is a bug of ours, stops all workers and rejects.
 * @returns when the last answer came; `startMs` if there was none.
 */
export function closedLoop(options: ClosedLoopOptions): Promise<number> {
  return new Promise((resolve, reject) => new ClosedLoop(options, resolve, reject).begin())
}

/** Longest delay that a timer takes; a worker that is woken before its time sleeps again. */
const maxSleepMs = 60_000

class ClosedLoop {
  readonly #options: ClosedLoopOptions
  readonly #resolve: (endMs: number) => void
  readonly #reject: (bug: unknown) => void
  readonly #turnDue = createTurns()
  /** Wakes workers that wait for their time, once there is no further call. */
  readonly #over = new AbortController()
  readonly #wake: AbortSignal
  #working: number
  #waiting = 0
  #allWaitSinceMs = 0
  #endMs: number
  #bug: { readonly thrown: unknown } | undefined

  constructor(options: ClosedLoopOptions, resolve: (endMs: number) => void, reject: (bug: unknown) => void) {
    this.#options = options
    this.#resolve = resolve
    this.#reject = reject
    this.#working = options.workers
    this.#endMs = options.startMs
    this.#wake = AbortSignal.any([this.#over.signal, ...(options.throttle ? [options.throttle.signal] : [])])
  }

  begin(): void {
    const { workers, clock } = this.#options
    if (workers === 0) this.#resolve(this.#endMs)
    for (let i = 0; i < workers; i++) this.#workOn(this.#createWorker(i), clock.now())
  }

  #createWorker(number: number): Worker {
    const worker: Worker = {
      number,
      calls: 0,
      call: undefined,
      sentMs: 0,
      endMs: 0,
      isSending: false,
      early: undefined,
      answered: (outcome) => {
        // What answers inside of `send` is settled by the loop there, or the stack would grow with every call.
        if (worker.isSending) worker.early = outcome
        else this.#workOn(worker, undefined, outcome)
      },
    }
    return worker
  }

  /** @param outcome Of the worker's last call. */
  #workOn(worker: Worker, fromMs: number | undefined, outcome?: Outcome): void {
    try {
      const nowMs = outcome === undefined ? fromMs : this.#settle(worker, outcome)
      if (nowMs !== undefined) this.#makeCalls(worker, nowMs)
    } catch (thrown) {
      this.#bug ??= { thrown }
      this.#leave()
    }
  }

  // Runs once per call: nothing in here that could be done before the loop.
  #makeCalls(worker: Worker, fromMs: number): void {
    const { clock, isOver, next, send, throttle } = this.#options
    let nowMs: number | undefined = fromMs
    while (nowMs !== undefined) {
      if (this.#bug !== undefined || isOver(nowMs)) return this.#leave()
      if (throttle !== undefined && this.#isEarly(worker, nowMs, throttle)) return
      const call = next()
      worker.call = call
      worker.early = undefined
      worker.isSending = true
      worker.sentMs = clock.now()
      send(call, worker.answered)
      worker.isSending = false
      if (worker.early === undefined) return
      nowMs = this.#settle(worker, worker.early)
    }
  }

  /** @returns the time, or undefined where the worker has to wait for its turn: it then goes on by itself. */
  #settle(worker: Worker, outcome: Outcome): number | undefined {
    const { clock, record } = this.#options
    const nowMs = clock.now()
    this.#endMs = nowMs
    worker.endMs = nowMs
    record(worker.call as PlannedCall, worker.sentMs, nowMs, outcome)
    const turn = this.#turnDue(nowMs)
    if (turn === undefined) return nowMs
    void turn.then(() => this.#workOn(worker, clock.now()))
    return undefined
  }

  /** Whether the worker has to wait for its time: it then goes on by itself. */
  #isEarly(worker: Worker, nowMs: number, throttle: Throttle): boolean {
    const dueMs = throttle.dueMs(worker)
    if (dueMs <= nowMs) {
      worker.calls += 1
      return false
    }
    this.#waiting += 1
    if (this.#waiting === this.#working) this.#allWaitSinceMs = nowMs
    // Rounded up: a timer that fires early has to be set once more.
    const ms = Math.min(maxSleepMs, Math.max(1, Math.ceil(Math.min(dueMs, throttle.endMs) - nowMs)))
    void this.#options.clock.sleep(ms, this.#wake).then(() => {
      const wokenMs = this.#options.clock.now()
      if (this.#waiting === this.#working) throttle.noteIdle(wokenMs - this.#allWaitSinceMs)
      this.#waiting -= 1
      this.#workOn(worker, wokenMs)
    })
    return true
  }

  #leave(): void {
    this.#working -= 1
    this.#over.abort()
    if (this.#working > 0) return
    if (this.#bug === undefined) this.#resolve(this.#endMs)
    else this.#reject(this.#bug.thrown)
  }
}

type Worker = {
  /** From 0. */
  readonly number: number
  /** Calls that it was due to make so far. Counted where the loop is throttled. */
  calls: number
  /** The call that it has sent last. */
  call: PlannedCall | undefined
  sentMs: number
  /** When that was answered. */
  endMs: number
  isSending: boolean
  /** Outcome that came back while it was sending. */
  early: Outcome | undefined
  readonly answered: (outcome: Outcome) => void
}

/** A worker before its next call. */
export type WaitingWorker = Readonly<Pick<Worker, 'number' | 'calls' | 'call' | 'endMs'>>

/**
 * Lets timers and sockets have their turn. Calls that are answered without I/O (writes with `w: 0` are) complete without
 * the event loop, and a loop of them starves every timer of the process: no deadline, no sampler, no Ctrl-C. Returns what a
 * worker has to wait for before its next call, and undefined, the rule, while the event loop turns.
 *
 * Answers that come in microtasks alone never let a tick run. Answers that come in ticks (a socket's write callbacks) never
 * let an immediate run; but neither do many real answers that are read in one go, and making workers wait there would idle
 * them. So that one gets more time.
 */
export function createTurns(): (nowMs: number) => Promise<void> | undefined {
  const ticksStarve = createProbe(process.nextTick, 1)
  const immediatesStarve = createProbe(setImmediate, 25)
  let turn: Promise<void> | undefined

  const nextTurn = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined
        resolve()
      })
    })

  return (nowMs) => {
    // Both are asked every time, so that both keep watch.
    const noTicks = ticksStarve(nowMs)
    const noImmediates = immediatesStarve(nowMs)
    return noTicks || noImmediates ? (turn ??= nextTurn()) : undefined
  }
}

/** Asks for an answer now and then, and returns whether one has been due for longer than the patience. */
function createProbe(ask: (answer: () => void) => unknown, timeoutMs: number): (nowMs: number) => boolean {
  let askedMs = -Infinity
  let pending = false
  const answer = (): void => void (pending = false)

  return (nowMs) => {
    const sinceMs = nowMs - askedMs
    if (pending) return sinceMs >= timeoutMs
    if (sinceMs >= timeoutMs / 2) {
      askedMs = nowMs
      pending = true
      ask(answer)
    }
    return false
  }
}
