import { setImmediate } from 'node:timers/promises'
import { Bench } from 'tinybench'
import { type Clock } from '../core/clock.ts'
import { type Limits } from './limits.ts'
import { type Work } from './task.ts'

/**
 * Repeats the work within the limits, after one warm-up iteration, and returns the seconds of each iteration in order.
 * tinybench continues until both the minimum time and the iterations are reached; a signal stops it at the maximum time.
 */
export async function measureWork(
  work: Work,
  { minSeconds, maxSeconds, iterations }: Limits,
  clock: Pick<Clock, 'now'>,
): Promise<readonly number[]> {
  const enough = new AbortController()
  const seconds: number[] = []
  let spentMs = 0
  let isWarm = false

  const bench = new Bench({
    time: minSeconds * 1000,
    iterations,
    warmupTime: 0,
    warmupIterations: 1,
    signal: enough.signal,
    throws: true,
  })
  const iteration = async () => {
    const startMs = clock.now()
    await work.iterate()
    const ms = clock.now() - startMs
    if (isWarm) {
      seconds.push(ms / 1000)
      spentMs += ms
      if (spentMs >= maxSeconds * 1000) enough.abort()
    }
    return { overriddenDuration: ms }
  }
  bench.add('work', iteration, {
    async: true,
    async beforeEach(mode) {
      isWarm = mode === 'run'
      // Work without I/O would block the event loop, and this process would not notice that its parent is gone.
      await setImmediate()
      await work.beforeEach?.()
    },
  })
  await bench.run()
  return seconds
}
