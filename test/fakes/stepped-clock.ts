import type { Clock } from '../../src/core/clock.ts'

/** Time in which several sleepers wake in their order, each at its moment: it moves only when told. */
export type SteppedClock = Clock & {
  /** Lets so much time pass, and everybody act who wakes meanwhile. */
  readonly pass: (ms: number) => Promise<void>
}

type Sleeper = { readonly atMs: number; readonly wake: () => void }

export function steppedClock(startMs = 0): SteppedClock {
  let time = startMs
  const sleepers = new Set<Sleeper>()

  return {
    now: () => time,
    date: () => new Date(time),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const sleeper = {
          atMs: time + ms,
          wake() {
            sleepers.delete(sleeper)
            signal?.removeEventListener('abort', sleeper.wake)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', sleeper.wake, { once: true })
      }),
    async pass(ms) {
      const untilMs = time + ms
      for (;;) {
        await settled()
        const [next] = [...sleepers].toSorted((a, b) => a.atMs - b.atMs)
        if (next === undefined || next.atMs > untilMs) break
        time = Math.max(time, next.atMs)
        next.wake()
      }
      time = untilMs
    },
  }
}

/** Everything has acted that needed no time to pass. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
