import { emptyReply, type Failure, type Outcome } from '../engine.ts'

/** A call that has been sent and not yet answered. */
export type Flight = {
  /** True once its deadline has passed: nobody waits for it any more. */
  abandoned: boolean
  /** What is known of it then, told by whoever sent it. Absent: nothing is. */
  whenLate?: (late: Failure) => Outcome
}

type Tracked = Flight & { readonly tick: number; readonly done: (outcome: Outcome) => void }

/** Gives every call a deadline, whatever the driver does. */
export type Deadlines = {
  /** @param done Called once: with the outcome, or when the deadline has passed. */
  readonly bound: (send: (flight: Flight) => Promise<Outcome>, done: (outcome: Outcome) => void) => void
  /** Ends the timer, and what is still in flight as unknown. */
  readonly close: () => void
}

/** What there is to say of a call that nobody has answered in time. */
export const noAnswerWithin = (deadlineMs: number): Omit<Failure, 'reply'> => ({
  kind: 'unknown',
  code: 'DeadlineExceeded',
  name: 'DeadlineExceeded',
  message: `No answer came within ${deadlineMs / 1000} s, the deadline of the phase`,
  labels: [],
})

/**
 * One timer for all calls in flight, because a timer for each costs more than the rest of our bookkeeping. It fires
 * ten times per deadline, at least every quarter of a second, so that a call ends at most that much late.
 */
export function createDeadlines(deadlineMs: number): Deadlines {
  const everyMs = Math.max(1, Math.min(250, deadlineMs / 10))
  const ticks = Math.ceil(deadlineMs / everyMs)
  const inFlight = new Set<Tracked>()
  let now = 0

  const abandon = (flight: Tracked): void => {
    flight.abandoned = true
    inFlight.delete(flight)
    const late = { ...noAnswerWithin(deadlineMs), reply: emptyReply }
    flight.done(flight.whenLate?.(late) ?? late)
  }

  const timer = setInterval(() => {
    now += 1
    for (const flight of inFlight) {
      // Flights stand in the order in which they were sent.
      if (now - flight.tick <= ticks) return
      abandon(flight)
    }
  }, everyMs)

  return {
    bound(send, done) {
      const flight: Tracked = { abandoned: false, tick: now, done }
      inFlight.add(flight)
      void send(flight).then((outcome) => {
        if (inFlight.delete(flight)) done(outcome)
      })
    },
    close() {
      clearInterval(timer)
      for (const flight of inFlight) abandon(flight)
    },
  }
}
