import { type Waker } from '../../src/servers/targets/links/timers.ts'

type Call = { readonly atMs: number; readonly wake: () => void }

/** Time that moves only when told, and wakes whom it passes. */
export function fakeWaker(): Waker & { readonly advanceTo: (ms: number) => void; readonly waiting: () => number } {
  let time = 0
  const calls = new Set<Call>()
  const nextUntil = (ms: number): Call | undefined =>
    [...calls].filter(({ atMs }) => atMs <= ms).toSorted((one, other) => one.atMs - other.atMs)[0]
  return {
    now: () => time,
    isDue: (atMs) => atMs <= time,
    wakeAt(atMs, wake) {
      const call = { atMs, wake }
      calls.add(call)
      return () => calls.delete(call)
    },
    advanceTo(ms) {
      for (let next = nextUntil(ms); next !== undefined; next = nextUntil(ms)) {
        calls.delete(next)
        time = Math.max(time, next.atMs)
        next.wake()
      }
      time = ms
    },
    waiting: () => calls.size,
  }
}
