import { coarseHistogram, LatencyRecord } from '../../src/load/measure/latency.ts'
import { type Result } from '../../src/results/schema.ts'
import { type OperationResult } from '../../src/results/schema/calls.ts'
import {
  fakeLatency,
  fakeMember,
  fakeOperation,
  fakePhase,
  fakeRandom,
  fakeResult,
  fakeTimes,
  fakeVariant,
} from './fake-result.ts'

const seconds = 12

/** Reads, most of them from the cache and some from disk: two modes in every second. */
export function cacheMisses(): Result {
  const random = fakeRandom(11)
  const operations = [reads(random, 'findOne', 0.4), reads(random, 'lastOrders', 0.9)]
  const phase = fakePhase({ name: 'read', wallSeconds: seconds, operations, members: [fakeMember()] })
  return fakeResult({
    spec: { name: 'cache-misses', title: 'Reads from the cache and from disk' },
    variants: [fakeVariant({ phases: [phase] })],
  })
}

function reads(random: () => number, name: string, hitMs: number): OperationResult {
  const times = Array.from({ length: seconds }, (_, second) => [
    ...fakeTimes(random, 1800 - 40 * second, hitMs),
    ...fakeTimes(random, 40 + 12 * second, 11, 0.2),
  ])
  const each = times.map(({ length }) => length)
  const inSeconds = times.map(fakeLatency)
  const latency = fakeLatency(times.flat())
  return fakeOperation({
    name,
    ok: latency.count,
    latency: { ok: latency, failed: null, unknown: null },
    perSecond: {
      ok: each,
      failed: each.map(() => 0),
      unknown: each.map(() => 0),
      documents: each,
      p50Ms: inSeconds.map(({ p50Ms }) => p50Ms),
      p99Ms: inSeconds.map(({ p99Ms }) => p99Ms),
      maxMs: inSeconds.map(({ maxMs }) => maxMs),
      histograms: times.map(histogramOf),
    },
  })
}

function histogramOf(times: readonly number[]): number[] {
  const record = new LatencyRecord()
  for (const ms of times) record.add(Math.round(ms * 1000))
  const part = record.take()
  return part === undefined ? [] : coarseHistogram(part)
}
