import * as fc from 'fast-check'
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js'
import { describe, expect, test } from 'vitest'
import {
  coarseHistogram,
  type LatencyPart,
  LatencyRecord,
  mergeLatencies,
  percentileMs,
  toLatency,
} from '../../../src/load/measure/latency.ts'
import { histogramsInSteps } from '../../../src/report/html/time-lines.ts'
import { binStartMs } from '../../../src/results/latency-bins.ts'
import { latency as latencySchema } from '../../../src/results/schema/latency.ts'
import { fail } from '../../fakes/fail.ts'
import { forAll } from '../../fakes/for-all.ts'

function partOf(microseconds: readonly number[]): LatencyPart {
  const record = new LatencyRecord()
  for (const us of microseconds) record.add(us)
  return record.take() ?? fail('no samples')
}

const latencyOf = (...microseconds: number[]) => toLatency(partOf(microseconds))

test('a latency is what the result keeps, its histogram readable by others', () => {
  const latency = latencyOf(1000, 2000, 3000)
  expect(latencySchema.parse(latency)).toEqual(latency)
  expect(latency.histogram).toMatch(/^HISTF/)
  expect(decodeFromCompressedBase64(latency.histogram ?? '').totalCount).toBe(3)
})

/** What we and HdrHistogram make of the same samples. Ours are shared out over two records. */
function measured(drawn: readonly (readonly [number, boolean])[]): { ours: LatencyPart; theirs: Histogram } {
  const [one, other] = [new LatencyRecord(), new LatencyRecord()]
  const theirs = build({
    bitBucketSize: 32,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: 600_000_000,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  })
  for (const [value, isFirst] of drawn) {
    const record = isFirst ? one : other
    record.add(value)
    theirs.recordValue(Math.max(1, Math.min(600_000_000, value)))
  }
  return { ours: mergeLatencies([one.take(), other.take()]) ?? fail('no samples'), theirs }
}

describe('of random samples, shared out over two records,', () => {
  const us = fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 0, max: 700_000_000 }))
  const samples = fc.array(fc.tuple(us, fc.boolean()), { minLength: 1, maxLength: 300 })

  test('percentiles are those of HdrHistogram, within the samples', () => {
    const percent = fc.oneof(fc.constantFrom(50, 95, 99, 99.9, 100), fc.double({ min: 0.01, max: 100, noNaN: true }))
    forAll(samples, percent, (drawn, wanted) => {
      const { ours, theirs } = measured(drawn)
      const values = drawn.map(([value]) => value)
      const [least, greatest] = [Math.min(...values), Math.max(...values)]
      const exact = Math.max(least, Math.min(greatest, theirs.getValueAtPercentile(wanted)))
      expect(percentileMs(ours, wanted)).toBe(exact / 1000)
    })
  })

  test('the histogram is the one that HdrHistogram writes', () =>
    forAll(samples, (drawn) => {
      const { ours, theirs } = measured(drawn)
      expect(toLatency(ours).histogram).toBe(encodeIntoCompressedBase64(theirs))
    }))

  test('the coarse histogram has each sample in the bin that has its latency', () => {
    // Up to there the buckets of the fine histogram are one microsecond wide.
    const exact = fc.array(fc.integer({ min: 1, max: 2047 }), { minLength: 1 })
    forAll(exact, (drawn) => {
      const [first = 0, ...counts] = coarseHistogram(partOf(drawn))
      const expected = counts.map((_, index) => {
        const [start, end] = [binStartMs(first + index), binStartMs(first + index + 1)]
        return drawn.filter((value) => value / 1000 >= start && value / 1000 < end).length
      })
      expect(counts).toEqual(expected)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(drawn.length)
    })
  })

  test('the coarse histogram of all is the sum of those of the records', () =>
    forAll(samples, samples, (some, others) => {
      const parts = [some, others].map((drawn) => partOf(drawn.map(([value]) => value)))
      const merged = mergeLatencies(parts) ?? fail('no samples')
      expect(histogramsInSteps(parts.map(coarseHistogram), 2)).toEqual([coarseHistogram(merged)])
    }))
})
