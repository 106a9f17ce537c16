import type { Clock } from '../../src/core/clock.ts'

/** Time that moves only when told: who sleeps wakes when it is aborted, and no sooner. */
export function stillClock(startMs = 0): Clock & { advance: (ms: number) => void } {
  let time = startMs
  return {
    now: () => time,
    date: () => new Date(time),
    sleep: (_ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) resolve()
        else signal?.addEventListener('abort', () => resolve(), { once: true })
      }),
    advance: (ms) => void (time += ms),
  }
}
