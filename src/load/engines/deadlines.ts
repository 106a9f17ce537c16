import { emptyReply, type Failure, type Outcome } from './engine.ts'

/** A call that has been sent and not yet answered. */
export type PendingCall = {
  /** True once its deadline has passed: nothing waits for it any more. */
  abandoned: boolean
  /** Returns what is known of the call then, from whoever sent it. Absent: nothing. */
  whenLate?: (late: Failure) => Outcome
}

type Tracked = PendingCall & { readonly tick: number; readonly done: (outcome: Outcome) => void }

/** Gives every call a deadline, whatever the driver does. */
export type Deadlines = {
  /** @param done Called once: with the outcome, or when the deadline has passed. */
  readonly bound: (send: (pending: PendingCall) => Promise<Outcome>, done: (outcome: Outcome) => void) => void
  /** Ends the timer, and what is still in flight as unknown. */
  readonly close: () => void
}

/** The outcome of a call that was not answered in time. */
export const noAnswerWithin = (deadlineMs: number): Omit<Failure, 'reply'> => ({
  kind: 'unknown',
  code: 'DeadlineExceeded',
  name: 'DeadlineExceeded',
  message: `No answer came within ${deadlineMs / 1000} s, the deadline of the phase`,
  labels: [],
})

/** How often to look for calls that are late, and after how many looks one is. */
export type Ticks = { readonly everyMs: number; readonly ticks: number }

/** Ten looks per deadline, at least one every quarter of a second, so that a call ends at most that much late. */
export function computeTicks(deadlineMs: number): Ticks {
  const everyMs = Math.max(1, Math.min(250, deadlineMs / 10))
  return { everyMs, ticks: Math.ceil(deadlineMs / everyMs) }
}

/**
 * One timer for all calls in flight, because a timer for each costs more than the rest of our bookkeeping.
 */
export function createDeadlines(deadlineMs: number): Deadlines {
  const { everyMs, ticks } = computeTicks(deadlineMs)
  const inFlight = new Set<Tracked>()
  let now = 0

  const abandon = (pending: Tracked): void => {
    pending.abandoned = true
    inFlight.delete(pending)
    const late = { ...noAnswerWithin(deadlineMs), reply: emptyReply }
    pending.done(pending.whenLate?.(late) ?? late)
  }

  const timer = setInterval(() => {
    now += 1
    for (const pending of inFlight) {
      // Flights are in the order in which they were sent.
      if (now - pending.tick <= ticks) return
      abandon(pending)
    }
  }, everyMs)

  return {
    bound(send, done) {
      const pending: Tracked = { abandoned: false, tick: now, done }
      inFlight.add(pending)
      void send(pending).then((outcome) => {
        if (inFlight.delete(pending)) done(outcome)
      })
    },
    close() {
      clearInterval(timer)
      for (const pending of inFlight) abandon(pending)
    },
  }
}
