import { systemClock } from '../../../core/clock.ts'
import { type FineTimer } from '../../../core/threads/fine-timer.ts'

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
export function createWaker({ now, at }: Timers): Waker {
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

/** A monotonic clock in ms, and timers on it with submillisecond resolution. */
export type Timers = {
  /** Monotonic milliseconds with a fraction. */
  readonly now: () => number
  /** Calls back at that moment, or later. @returns what calls it off. */
  readonly at: (atMs: number, wake: () => void) => () => void
}

type Call = { readonly atMs: number; readonly wake: () => void }

/** Makes many timers of one sleep, which is the one until the next call is due. */
export function createTimers({ sleep }: Pick<FineTimer, 'sleep'>, { now } = systemClock): Timers {
  const calls = new Set<Call>()
  /** Time when the sleep ends. */
  let armedMs = Infinity

  function armFor(atMs: number): void {
    if (atMs >= armedMs) return
    armedMs = atMs
    void sleep(Math.max(0, atMs - now())).then(() => {
      // A sleep that another one has ended wakes no caller.
      if (armedMs === atMs) callDue()
    })
  }

  function callDue(): void {
    armedMs = Infinity
    const nowMs = now()
    const due = [...calls].filter(({ atMs }) => atMs <= nowMs).toSorted((one, other) => one.atMs - other.atMs)
    // One may call off another.
    for (const call of due) if (calls.delete(call)) call.wake()
    for (const { atMs } of calls) armFor(atMs)
  }

  return {
    now,
    at(atMs, wake) {
      const call = { atMs, wake }
      calls.add(call)
      armFor(atMs)
      return () => void calls.delete(call)
    },
  }
}
