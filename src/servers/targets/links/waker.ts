import { startTimers, type Timers } from './timers.ts'

/** Time as delay lines need it. Handed in, so that they can be tested without waiting. */
export type Waker = {
  /** Monotonic milliseconds with a fraction. */
  readonly now: () => number
  /** Whether a moment has come, or is nearer than the next one that a timer could meet. */
  readonly isDue: (atMs: number) => boolean
  /** Calls back once, at about that moment. @returns what calls it off. */
  readonly wakeAt: (atMs: number, wake: () => void) => () => void
}

/** Half of what a timer takes when the machine is quiet. */
const nearMs = 0.05
const stepMs = 0.01

/**
 * Timers fire late, by a tenth of a millisecond and more on a busy machine. The median of it is followed step by step and taken
 * off: they are early as often as late then, and a pause of the whole process counts no more than any other one.
 */
export function createWaker({ now, at }: Timers = startTimers()): Waker {
  let lateMs = 0.1
  return {
    now,
    isDue: (atMs) => atMs - now() <= nearMs,
    wakeAt(atMs, wake) {
      const askedMs = Math.max(now(), atMs - lateMs)
      return at(askedMs, () => {
        lateMs += now() - askedMs > lateMs ? stepMs : -stepMs
        wake()
      })
    },
  }
}
