import { type Clock } from '../clock.ts'
import { type Call, isAnswered, type Outcome } from '../engines/engine.ts'
import { type ArrivalTimes } from '../plan/arrival-times.ts'
import { type PlannedCall } from '../plan/plan.ts'
import { type Window } from './closed-loop.ts'
import { type Limits } from './limits.ts'

/** Who is told what became of the arrivals of a plan. All times are the clock's, in milliseconds. */
export type ArrivalListener = {
  readonly start: (windowStartMs: number) => void
  /** A call has gone out; so many now wait for their answers. */
  readonly sent: (inFlight: number) => void
  /** A call was due while as many as may waited for their answers. It was not sent, and not even drawn. */
  readonly dropped: (plannedMs: number) => void
  readonly answered: (call: PlannedCall, plannedMs: number, sentMs: number, endMs: number, outcome: Outcome) => void
  /** Nothing more will be sent: the plan is over, or was broken off. */
  readonly ended: (nowMs: number) => void
}

/**
 * Calls go out when the plan has them, however long the answers to earlier ones take. One timer for all: it wakes for the
 * next arrival and sends all that are due by then, each with the moment for which it was planned. A timer has whole
 * milliseconds, so a call goes out up to about one late; what falls due while this thread is busy goes out as soon as it is
 * free again. So much and no more is caught up in one go, then sockets and timers have their turn. Polling instead would be
 * a core that does nothing else.
 *
 * The window is that of the plan, or until the last answer if that comes later. Whatever goes wrong with a call is its
 * outcome; a throw from `next`, `send`, `record` or the listener is a bug of ours, ends the loop and rejects.
 */
export async function openLoop({
  times,
  seconds = Infinity,
  maxInFlight,
  clock,
  signal,
  limits,
  next,
  send,
  onStart,
  record,
  listener,
}: {
  readonly times: ArrivalTimes
  /** Length of the plan, where it has one. */
  readonly seconds?: number | undefined
  readonly maxInFlight: number
  readonly clock: Clock
  /** Wakes the loop, so that the limits are asked; the end is theirs to decide. */
  readonly signal: AbortSignal
  readonly limits: Pick<Limits, 'documentsLeft' | 'take' | 'answered' | 'rested'>
  readonly next: (documentsLeft: number) => PlannedCall
  readonly send: (call: Call) => Promise<Outcome>
  /** The window opens: the plan begins now. */
  readonly onStart: (startMs: number) => void
  readonly record: (call: PlannedCall, sentMs: number, endMs: number, outcome: Outcome) => void
  readonly listener: ArrivalListener
}): Promise<Window> {
  const startMs = clock.now()
  if (limits.documentsLeft(startMs) === 0) return { startMs, endMs: startMs }
  onStart(startMs)

  const nextDueMs = (): number => startMs + (times() ?? Infinity)
  const planEndMs = startMs + seconds * 1000
  const wake = new AbortController()
  const awake = AbortSignal.any([signal, wake.signal])
  let dueMs = nextDueMs()
  let inFlight = 0
  let endMs = startMs
  let restedUntilMs = startMs
  let bug: { readonly thrown: unknown } | undefined
  let allLanded: (() => void) | undefined

  // Runs once per call: nothing in here that could be done before the loop.
  async function fly(plannedMs: number, documentsLeft: number): Promise<void> {
    inFlight += 1
    try {
      const call = next(documentsLeft)
      limits.take(call.documents)
      const sentMs = clock.now()
      const answer = send(call)
      listener.sent(inFlight)
      const outcome = await answer
      const nowMs = clock.now()
      endMs = nowMs
      limits.answered(call.documents, isAnswered(outcome), nowMs)
      record(call, sentMs, nowMs, outcome)
      listener.answered(call, plannedMs, sentMs, nowMs, outcome)
    } catch (thrown) {
      bug ??= { thrown }
      wake.abort()
    }
    inFlight -= 1
    if (inFlight === 0) allLanded?.()
  }

  /** Sends or drops what is due. @returns whether there is more to come. */
  function sendDue(nowMs: number): boolean {
    if (inFlight === 0) {
      limits.rested(nowMs - Math.max(restedUntilMs, endMs))
      restedUntilMs = nowMs
    }
    for (;;) {
      // Asked for the moment that was planned: a call of this plan is not lost because the thread was busy at its end.
      const documentsLeft = limits.documentsLeft(Math.min(dueMs, nowMs))
      if (documentsLeft === 0 || bug !== undefined) return false
      if (dueMs > nowMs) return true
      if (inFlight < maxInFlight) void fly(dueMs, documentsLeft)
      else listener.dropped(dueMs)
      dueMs = nextDueMs()
    }
  }

  while (sendDue(clock.now())) await clock.sleep(wholeMs(Math.min(dueMs, planEndMs) - clock.now()), awake)
  endMs = Math.max(endMs, clock.now())
  listener.ended(endMs)
  if (inFlight > 0) await new Promise<void>((resolve) => void (allLanded = resolve))
  if (bug !== undefined) throw bug.thrown
  return { startMs, endMs }
}

const longestSleepMs = 60_000

/** As timers take them. Rounded up: a timer that fires early has to be set once more, for a whole millisecond. */
const wholeMs = (ms: number): number => Math.min(longestSleepMs, Math.max(1, Math.ceil(ms)))
