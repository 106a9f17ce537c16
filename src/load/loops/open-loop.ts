import { type Outcome } from '../engines/engine.ts'
import { type ArrivalTimes } from '../plan/arrival-times.ts'
import { type PlannedCall } from '../plan/plan.ts'
import { type LoopOptions } from './closed-loop.ts'

/** Listener for the outcomes of a plan's arrivals. All times are the clock's, in milliseconds. */
export type ArrivalListener = {
  /** A call was due while as many as may waited for their answers. It was not sent, and not even drawn. */
  readonly recordDropped: (plannedMs: number) => void
  /** After `record`. */
  readonly recordArrival: (
    call: PlannedCall,
    plannedMs: number,
    sentMs: number,
    endMs: number,
    outcome: Outcome,
  ) => void
}

/** The end of an open loop; times are the clock's, in milliseconds. */
export type OpenLoopEnd = {
  /** Time when the last answer came or the plan was over, whichever was later. */
  readonly endMs: number
  /** Nothing was sent after that: the plan was over, or was broken off. */
  readonly sentUntilMs: number
  /** Most calls that waited for their answers at the same time. */
  readonly peakInFlight: number
}

/** A place for a call that waits for its answer. */
type Slot = {
  call: PlannedCall | undefined
  plannedMs: number
  sentMs: number
  readonly answered: (outcome: Outcome) => void
}

/**
 * Calls go out when the plan has them, however long the answers to earlier ones take. One timer for all: it wakes for the
 * next arrival and sends all that are due by then, each with the moment for which it was planned. It sleeps for half a
 * millisecond or more, so calls that come close together go out up to that much late. What falls due while this thread is
 * busy goes out as soon as it is free again: so much and no more is caught up in one go, then sockets and timers have their
 * turn. Polling instead would be a core that does nothing else.
 *
 * Whatever goes wrong with a call is its outcome; a throw from `next`, `send`, `record` or the listener is a bug of ours, ends
 * the loop and rejects.
 */
export async function openLoop({
  times,
  seconds = Infinity,
  maxInFlight,
  startMs,
  clock,
  signal,
  isOver,
  noteIdle,
  next,
  send,
  record,
  listener,
}: LoopOptions & {
  readonly times: ArrivalTimes
  /** Length of the plan, where it has one. */
  readonly seconds?: number | undefined
  readonly maxInFlight: number
  /** The plan begins now. */
  readonly startMs: number
  /** Wakes the loop, so that `isOver` is asked; the end is decided there. */
  readonly signal: AbortSignal
  /** No call was under way for so long, because none was due. */
  readonly noteIdle: (ms: number) => void
  readonly listener: ArrivalListener
}): Promise<OpenLoopEnd> {
  const nextDueMs = (): number => startMs + (times() ?? Infinity)
  const planEndMs = startMs + seconds * 1000
  const wake = new AbortController()
  const awake = AbortSignal.any([signal, wake.signal])
  const free: Slot[] = []
  let dueMs = nextDueMs()
  let inFlight = 0
  let peakInFlight = 0
  let endMs = startMs
  let idleUntilMs = startMs
  let bug: { readonly thrown: unknown } | undefined
  let allLanded: (() => void) | undefined

  const fail = (thrown: unknown): void => {
    bug ??= { thrown }
    wake.abort()
  }

  function land(slot: Slot): void {
    slot.call = undefined
    free.push(slot)
    inFlight -= 1
    if (inFlight === 0) allLanded?.()
  }

  function newSlot(): Slot {
    const slot: Slot = {
      call: undefined,
      plannedMs: 0,
      sentMs: 0,
      answered(outcome) {
        const nowMs = clock.now()
        endMs = nowMs
        try {
          const { call, plannedMs, sentMs } = slot
          if (call === undefined) return
          record(call, sentMs, nowMs, outcome)
          listener.recordArrival(call, plannedMs, sentMs, nowMs, outcome)
        } catch (thrown) {
          fail(thrown)
        }
        land(slot)
      },
    }
    return slot
  }

  // Runs once per call: nothing in here that could be done before the loop.
  function sendOne(plannedMs: number): void {
    const slot = free.pop() ?? newSlot()
    inFlight += 1
    if (inFlight > peakInFlight) peakInFlight = inFlight
    try {
      slot.call = next()
      slot.plannedMs = plannedMs
      slot.sentMs = clock.now()
      send(slot.call, slot.answered)
    } catch (thrown) {
      fail(thrown)
      land(slot)
    }
  }

  /** Sends or drops what is due. @returns whether there is more to come. */
  function sendDue(nowMs: number): boolean {
    if (inFlight === 0) {
      noteIdle(nowMs - Math.max(idleUntilMs, endMs))
      idleUntilMs = nowMs
    }
    for (;;) {
      // Asked for the moment that was planned: a call of this plan is not lost because the thread was busy at its end.
      if (bug !== undefined || isOver(Math.min(dueMs, nowMs))) return false
      if (dueMs > nowMs) return true
      if (inFlight < maxInFlight) sendOne(dueMs)
      else listener.recordDropped(dueMs)
      dueMs = nextDueMs()
    }
  }

  while (sendDue(clock.now())) await clock.sleep(sleepMs(Math.min(dueMs, planEndMs) - clock.now()), awake)
  endMs = Math.max(endMs, clock.now())
  const sentUntilMs = endMs
  if (inFlight > 0) await new Promise<void>((resolve) => void (allLanded = resolve))
  if (bug !== undefined) throw bug.thrown
  return { endMs, sentUntilMs, peakInFlight }
}

const maxSleepMs = 60_000
/** At high rates several calls go out each time: what it costs to wake does not grow with the rate. */
const minSleepMs = 0.5

const sleepMs = (ms: number): number => Math.min(maxSleepMs, Math.max(minSleepMs, ms))
