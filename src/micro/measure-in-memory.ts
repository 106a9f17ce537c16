import { setImmediate } from 'node:timers/promises'
import { Bench } from 'tinybench'
import type { Clock } from '../core/clock.ts'
import type { Limits, TaskAnswer, Work } from './task.ts'

const longestWarmupMs = 250

/** Measures work that needs no server in tinybench, until the minimum time and the iterations are reached or the maximum time is. */
export async function measureInMemory(
  { bytes, operations = 1, iterate }: Work,
  { minSeconds, maxSeconds, iterations }: Limits,
  { now }: Pick<Clock, 'now'>,
): Promise<TaskAnswer> {
  const limit = new AbortController()
  const bench = new Bench({
    time: minSeconds * 1000,
    iterations,
    warmupIterations: 1,
    warmupTime: Math.min(longestWarmupMs, minSeconds * 1000),
    retainSamples: true,
    throws: true,
    now,
    signal: limit.signal,
  })
  let startMs: number | undefined
  bench.add('work', iterate, {
    async: false,
    async beforeEach(mode) {
      // Work without I/O would block the event loop, and this process would not notice that its parent is gone.
      await setImmediate()
      if (mode === 'run') startMs ??= now()
    },
    afterEach() {
      if (startMs !== undefined && now() - startMs >= maxSeconds * 1000) limit.abort()
    },
  })
  const [{ result } = { result: undefined }] = await bench.run()
  if (result === undefined || !('latency' in result)) throw new Error(`tinybench did not measure it: ${result?.state}`)
  const { samples = [], mean, rme, p50, p75, p99, p999 } = result.latency
  const toNs = (ms: number): number => (ms * 1e6) / operations
  return {
    kind: 'measured',
    bytes,
    seconds: samples.map((ms) => ms / 1000),
    statistics: {
      operations,
      meanNs: toNs(mean),
      marginPercent: rme,
      p50Ns: toNs(p50),
      p75Ns: toNs(p75),
      p99Ns: toNs(p99),
      p999Ns: toNs(p999),
    },
  }
}
