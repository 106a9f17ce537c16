/** Time as delay lines need it. Handed in, so that they can be tested without waiting. */
export type Waker = {
  /** Monotonic milliseconds with a fraction. */
  readonly now: () => number
  /** Whether a moment has come, or is nearer than the next one that a timer could meet. */
  readonly isDue: (atMs: number) => boolean
  /** Calls back once, at about that moment. @returns what calls it off. */
  readonly wakeAt: (atMs: number, wake: () => void) => () => void
}

type Timers = {
  readonly now: () => number
  /** Calls back after so many whole milliseconds, or later. @returns what calls it off. */
  readonly after: (ms: number, wake: () => void) => () => void
}

const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms)
    return () => clearTimeout(timer)
  },
}

const leastWaitMs = 1
/** Of one error, so that the mean follows a busy machine within tens of wakings. */
const learnt = 0.1
/** A pause of the whole process says nothing about timers. */
const greatestErrorMs = 2

const within = (value: number, most: number): number => Math.max(-most, Math.min(most, value))

/**
 * Timers take whole milliseconds and fire late, by half of one to more than one. How far they miss is learnt and taken off,
 * rounding included: they are early as often as late then.
 */
export function createWaker({ now, after }: Timers = systemTimers): Waker {
  let lateMs = 0.8
  return {
    now,
    isDue: (atMs) => atMs - now() <= (leastWaitMs + Math.max(0, lateMs)) / 2,
    wakeAt(atMs, wake) {
      const ms = Math.max(leastWaitMs, Math.round(atMs - now() - lateMs))
      return after(ms, () => {
        lateMs = within(lateMs + within(now() - atMs, greatestErrorMs) * learnt, greatestErrorMs)
        wake()
      })
    },
  }
}
