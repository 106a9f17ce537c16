import { type Outcome } from '../../load/engines/engine.ts'
import { type OwnLoop } from '../../load/local-unit.ts'
import { type OpenLoopEnd } from '../../load/loops/open-loop.ts'
import { type RecordedCall } from '../recording/recorded-call.ts'
import { createOrder, type Ordered } from './order.ts'
import { readAhead } from './read-ahead.ts'

/** A call on its way. Times are the clock's, in milliseconds. */
export type Sending = Ordered & {
  readonly call: RecordedCall
  readonly acknowledged: boolean
  /** Index of its shape. */
  readonly operation: number
  /** Its number in the replay, from 0. */
  readonly number: number
  readonly dueMs: number
  /** When it was sent. 0: it has not been. */
  sentMs: number
  /** Whether it had to wait for others when it was due. */
  isHeld: boolean
  /** Called once when it has ended. @param outcome Undefined: it was not sent. */
  readonly ended: (sending: Sending, outcome: Outcome | undefined) => void
}

/** What is sent, and how. */
export type LoopPlan = {
  /** In their order. */
  readonly calls: AsyncIterable<RecordedCall>
  /** When a call is due, in ms after the beginning. Undefined: as soon as others before it have ended. */
  readonly afterMs: ((call: RecordedCall) => number) | undefined
  readonly describe: (call: RecordedCall) => Pick<Sending, 'operation' | 'number' | 'slot' | 'session' | 'cursor'>
  /** Sends a call; it ends inside of that at the earliest where it is sent. @returns whether it is. */
  readonly send: (sending: Sending) => boolean
  readonly addLate: (lateMs: number, isHeld: boolean) => void
}

/** Calls that wait for others, and their bytes, at most: no further ones are read then, and are late. */
const maxWaiting = 4096
const maxWaitingBytes = 64 * 1024 * 1024
/** What it costs to wake does not grow with the rate. */
const minSleepMs = 0.25
const maxSleepMs = 60_000

/**
 * Sends calls when they are due, each as soon as those before it on its connection, in its session and of its cursor have ended. Memory does not grow with
 * their number.
 */
export async function replayLoop(
  { calls, afterMs, describe, send, addLate }: LoopPlan,
  { startMs, clock: { now, sleep }, isOver, record, signal, noteIdle, listener }: Parameters<OwnLoop>[0],
): Promise<OpenLoopEnd> {
  let [waiting, waitingBytes, inFlight, peakInFlight] = [0, 0, 0, 0]
  let endMs = startMs
  let bug: { readonly thrown: unknown } | undefined
  let wake = (): void => {}
  const order = createOrder<Sending>(begin)

  function begin(sending: Sending): void {
    sending.sentMs = now()
    // Not at once: of thousands in a row that are not sent, each would end inside of the one before it.
    if (isStopped() || !send(sending)) return queueMicrotask(() => sending.ended(sending, undefined))
    inFlight += 1
    if (inFlight > peakInFlight) peakInFlight = inFlight
  }

  function ended(sending: Sending, outcome: Outcome | undefined): void {
    waiting -= 1
    waitingBytes -= sending.call.requestBytes
    try {
      if (outcome !== undefined) recordCall(sending, outcome)
      order.end(sending)
    } catch (thrown) {
      bug ??= { thrown }
    }
    wake()
  }

  function recordCall(sending: Sending, outcome: Outcome): void {
    const { operation, number, dueMs, sentMs, isHeld } = sending
    inFlight -= 1
    endMs = now()
    const call = { operation, number, args: noArguments, bytes: 0, documents: 0 }
    record(call, sentMs, endMs, outcome)
    if (afterMs === undefined) return
    listener.recordArrival(call, dueMs, sentMs, endMs, outcome)
    addLate(sentMs - dueMs, isHeld)
  }

  const next = (): Promise<void> => new Promise((resolve) => void (wake = resolve))
  const isStopped = (): boolean => bug !== undefined || isOver(now())

  async function sleepUntil(dueMs: number): Promise<void> {
    for (let atMs = now(); atMs < dueMs && !isStopped(); atMs = now()) {
      await sleep(Math.min(maxSleepMs, Math.max(minSleepMs, dueMs - atMs)), signal)
      if (inFlight === 0) noteIdle(now() - atMs)
    }
  }

  for await (const call of readAhead(calls, ({ requestBytes }) => requestBytes)) {
    while ((waiting >= maxWaiting || waitingBytes >= maxWaitingBytes) && !isStopped()) await next()
    const dueMs = startMs + (afterMs?.(call) ?? 0)
    if (afterMs !== undefined) await sleepUntil(dueMs)
    if (isStopped()) break
    waiting += 1
    waitingBytes += call.requestBytes
    const { acknowledged } = call
    const sending = { ...describe(call), call, acknowledged, dueMs, ahead: 0, sentMs: 0, isHeld: false, ended }
    order.add(sending)
    sending.isHeld = sending.ahead > 0
  }
  const sentUntilMs = Math.max(now(), endMs)
  while (waiting > 0 && bug === undefined) await next()
  if (bug !== undefined) throw bug.thrown
  return { endMs: Math.max(endMs, sentUntilMs), sentUntilMs, peakInFlight }
}

const noArguments = { options: {} }
