import { createWorker } from '../../../core/create-worker.ts'
import { entryPath } from '../../../core/entries.ts'

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

/** When the thread is to wake the event loop next, in ns of `process.hrtime`. */
export type NextCall = BigInt64Array<SharedArrayBuffer>

/** The time in ns that stands for "no call is scheduled". */
export const never = 2n ** 62n

/** A monotonic clock in ms, and timers on it with submillisecond resolution. */
type Timers = {
  /** Monotonic milliseconds with a fraction. */
  readonly now: () => number
  /** Calls back at that moment, or later. @returns what calls it off. */
  readonly at: (atMs: number, wake: () => void) => () => void
}

type Call = { readonly atMs: number; readonly wake: () => void }

/** The clock of the thread too: `performance.now()` counts from the start of each thread. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6

/**
 * Timers that know parts of a millisecond, as those of Node do not: a thread sleeps until the next call is due. Meanwhile the
 * event loop is free for what arrives, and nothing spins.
 */
export function startTimers(): Timers {
  const next: NextCall = new BigInt64Array(new SharedArrayBuffer(8)).fill(never)
  const calls = new Set<Call>()
  /** When the thread is to wake us. */
  let armedMs = Infinity

  function armFor(atMs: number): void {
    if (atMs >= armedMs) return
    armedMs = atMs
    Atomics.store(next, 0, BigInt(Math.round(atMs * 1e6)))
    Atomics.notify(next, 0)
  }

  function callDue(): void {
    armedMs = Infinity
    const nowMs = now()
    const due = [...calls].filter(({ atMs }) => atMs <= nowMs).toSorted((one, other) => one.atMs - other.atMs)
    // One may call off another.
    for (const call of due) if (calls.delete(call)) call.wake()
    for (const { atMs } of calls) armFor(atMs)
  }

  createWorker(entryPath('servers/targets/links/timer-thread'), next).on('message', callDue).unref()
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
