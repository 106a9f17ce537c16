import { setMaxListeners } from 'node:events'
// The global of this name is a getter, and its cost shows in what the harness takes for an operation.
import { performance } from 'node:perf_hooks'

/** The only source of real time. Passed in, so that a schedule can be tested without waiting. */
export type Clock = {
  /** Monotonic time in milliseconds, with a fraction. Only differences are meaningful. */
  readonly now: () => number
  /** Wall-clock time, for timestamps in results and to match those of servers. */
  readonly date: () => Date
  /** Resolves after `ms` milliseconds, or at once when the signal aborts. Never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      if (signal) forMany(signal)
      const wake = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      signal?.addEventListener('abort', wake, { once: true })
    }),
}

/** A signal that any number of tasks wait for at the same time: of eleven Node warns, as of a leak. */
export function forMany(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}

/** Waits for something, and no longer than that. What comes later is not waited for. */
export async function atMost(ms: number, something: Promise<unknown>, { sleep }: Pick<Clock, 'sleep'>): Promise<void> {
  const done = new AbortController()
  await Promise.race([something.finally(() => done.abort()), sleep(ms, done.signal)])
  done.abort()
}
