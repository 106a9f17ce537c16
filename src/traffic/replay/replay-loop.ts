import { type Outcome } from '../../load/engines/engine.ts'
import { type OwnCalls } from '../../load/local-unit.ts'
import { type OpenLoopEnd } from '../../load/loops/open-loop.ts'
import { type PlannedCall } from '../../load/plan/plan.ts'
import { type RecordedCall } from '../recording/recorded-call.ts'
import { createOrder, type Ordered } from './order.ts'

/** A call on its way. Times are the clock's, in milliseconds. */
export type Sending = Ordered &
  PlannedCall & {
    readonly call: RecordedCall
    readonly dueMs: number
    /** When it was sent. 0: it has not been. */
    sentMs: number
    /** Whether it had to wait for others when it was due. */
    isHeld: boolean
    /** Called once when it has ended. @param outcome Undefined: it was not sent. */
    readonly ended: (sending: Sending, outcome: Outcome | undefined) => void
  }

/** The calls to send, and how. */
export type LoopPlan = {
  /** In their order. */
  readonly batches: AsyncIterable<Iterable<RecordedCall>>
  readonly isSelected: (call: RecordedCall) => boolean
  /** When a call is due, in ms after the beginning. Undefined: as soon as others before it have ended. */
  readonly afterMs: ((call: RecordedCall) => number) | undefined
  readonly toSending: (call: RecordedCall, dueMs: number, ended: Sending['ended']) => Sending
  /** Calls that may wait for others. Beyond them, and beyond 64 MiB, no further ones are read, and are late. */
  readonly maxWaiting: number
  /** Sends a call, which does not end inside of that. @returns whether it is sent. */
  readonly send: (sending: Sending) => boolean
  /** Called for each call that was sent, when it has ended. */
  readonly addEnded: (sending: Sending, endMs: number, outcome: Outcome) => void
}

const maxWaitingBytes = 64 * 1024 * 1024
/** Several calls are added at a time: a promise for each would cost more than what is done for it. */
const refillBelow = 15 / 16
/** To wake takes more time than to send: its cost does not grow with the rate. */
const minSleepMs = 0.5
const maxSleepMs = 60_000

/**
 * Sends calls when they are due, each as soon as those before it on its connection, in its session and of its cursor have ended. Memory does not grow with
 * their number.
 */
export async function replayLoop(
  { batches, isSelected, afterMs, toSending, maxWaiting, send, addEnded }: LoopPlan,
  { startMs, clock: { now, sleep }, isOver, record, signal, noteIdle, listener }: Parameters<OwnCalls['loop']>[0],
): Promise<OpenLoopEnd> {
  const state = { waiting: 0, waitingBytes: 0, inFlight: 0, peakInFlight: 0, endMs: startMs }
  const bugs: unknown[] = []
  const wake = new AbortController()
  const awake = AbortSignal.any([signal, wake.signal])
  let notice: (() => void) | undefined
  let due: { readonly atMs: number; readonly resolve: () => void } | undefined
  let isTiming = false
  const order = createOrder<Sending>(begin)
  const isStopped = (nowMs = now()): boolean => bugs.length > 0 || isOver(nowMs)
  const isFilled = (part: number): boolean =>
    state.waiting >= maxWaiting * part || state.waitingBytes >= maxWaitingBytes * part

  /** Resolves after an end that makes a condition true, or a bug. */
  const untilEnd = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      notice = () => {
        if (condition() || bugs.length > 0) resolve()
      }
    })

  function begin(sending: Sending): void {
    sending.sentMs = now()
    if (isStopped(sending.sentMs) || !send(sending)) return endSoon(sending)
    state.inFlight += 1
    state.peakInFlight = Math.max(state.peakInFlight, state.inFlight)
  }

  /** Not at once: of thousands in a row that are not sent, each would end inside of the one before it. */
  const endSoon = (sending: Sending): void => queueMicrotask(() => ended(sending, undefined))

  function ended(sending: Sending, outcome: Outcome | undefined): void {
    state.waiting -= 1
    state.waitingBytes -= sending.call.command.length
    try {
      if (outcome !== undefined) recordCall(sending, outcome)
      order.end(sending)
    } catch (bug) {
      bugs.push(bug)
    }
    notice?.()
    look()
  }

  function recordCall(sending: Sending, outcome: Outcome): void {
    const { dueMs, sentMs } = sending
    const endMs = now()
    state.inFlight -= 1
    state.endMs = endMs
    record(sending, sentMs, endMs, outcome)
    if (afterMs !== undefined) listener.recordArrival(sending, dueMs, sentMs, endMs, outcome)
    addEnded(sending, endMs, outcome)
  }

  /** Goes on with a call that is due. */
  function look(): void {
    if (due === undefined || (now() < due.atMs && !isStopped())) return
    const { resolve } = due
    due = undefined
    resolve()
  }

  /** Looks when the next call is due, and again as long as one is awaited. */
  async function keepTime(): Promise<void> {
    if (isTiming) return
    isTiming = true
    for (; due !== undefined; look()) await sleep(Math.min(maxSleepMs, Math.max(minSleepMs, due.atMs - now())), awake)
    isTiming = false
  }

  /** At high rates calls end between two looks of the timer, and each end is one. */
  async function sleepUntil(atMs: number): Promise<void> {
    const sinceMs = now()
    await new Promise<void>((resolve) => {
      due = { atMs, resolve }
      void keepTime()
    })
    if (state.inFlight === 0) noteIdle(now() - sinceMs)
  }

  function add(call: RecordedCall, dueMs: number): void {
    state.waiting += 1
    state.waitingBytes += call.command.length
    const sending = toSending(call, dueMs, ended)
    order.add(sending)
    sending.isHeld = sending.ahead > 0
  }

  /** @returns whether there may be more. */
  async function addAll(batch: Iterable<RecordedCall>): Promise<boolean> {
    for (const call of batch) {
      if (!isSelected(call)) continue
      if (isFilled(1)) await untilEnd(() => !isFilled(refillBelow))
      const dueMs = startMs + (afterMs?.(call) ?? 0)
      // Only where there is something to wait for: a promise for each call would cost more than what is done here.
      if (afterMs !== undefined && dueMs > now()) await sleepUntil(dueMs)
      if (isStopped()) return false
      add(call, dueMs)
    }
    return true
  }

  for await (const batch of oneAhead(batches)) if (!(await addAll(batch))) break
  wake.abort()
  const sentUntilMs = Math.max(now(), state.endMs)
  if (state.waiting > 0 && bugs.length === 0) await untilEnd(() => state.waiting === 0)
  if (bugs.length > 0) throw bugs[0]
  return { endMs: Math.max(state.endMs, sentUntilMs), sentUntilMs, peakInFlight: state.peakInFlight }
}

/** Reads the next batch while one is used, so that what takes long to read makes no call late. */
async function* oneAhead<Batch>(batches: AsyncIterable<Batch>): AsyncGenerator<Batch, void, undefined> {
  const source = batches[Symbol.asyncIterator]()
  try {
    for (let next = source.next(); ;) {
      const { done, value } = await next
      if (done === true) return
      next = source.next()
      // Its failure is for whoever awaits it.
      next.catch(() => {})
      yield value
    }
  } finally {
    await source.return?.()
  }
}
