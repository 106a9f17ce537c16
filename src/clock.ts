// The global of this name is a getter, and its cost shows in what the harness takes for an operation.
import { performance } from 'node:perf_hooks'

/** The only reader of real time. Handed in, so that a schedule can be tested without waiting. */
export type Clock = {
  /** Monotonic milliseconds with a fraction; only differences mean something. */
  readonly now: () => number
  /** Wall-clock time, for stamps in results and for matching the server's own stamps. */
  readonly date: () => Date
  /** Resolves after so many milliseconds, or at once when the signal aborts. Never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const wake = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      signal?.addEventListener('abort', wake, { once: true })
    }),
}
