import type { Clock } from '../../src/core/clock.ts'

/** Time that moves only when told, or when somebody sleeps. */
export function fakeClock(startMs = 0): Clock & { advance: (ms: number) => void } {
  let time = startMs
  return {
    now: () => time,
    date: () => new Date(time),
    sleep: async (ms) => void (time += ms),
    advance: (ms) => void (time += ms),
  }
}
