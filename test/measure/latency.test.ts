import * as fc from 'fast-check'
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js'
import { describe, expect, test } from 'vitest'
import { type LatencyPart, LatencyRecord, mergeLatencies, percentileMs, toLatency } from '../../src/measure/latency.ts'
import { latency as latencySchema } from '../../src/results/schema/latency.ts'

function latencyOf(...microseconds: number[]) {
  const record = new LatencyRecord()
  for (const us of microseconds) record.add(us)
  const part = record.take()
  if (part === undefined) throw new Error('There are no samples')
  return toLatency(part)
}

test('a latency is what the result keeps, its histogram readable by others', () => {
  const latency = latencyOf(1000, 2000, 3000)
  expect(latencySchema.parse(latency)).toEqual(latency)
  expect(latency.histogram).toMatch(/^HISTF/)
  expect(decodeFromCompressedBase64(latency.histogram ?? '').totalCount).toBe(3)
})

test('no percentile lies outside of the samples', () => {
  const latency = latencyOf(1_234_567)
  expect(latency).toMatchObject({ minMs: 1234.567, p50Ms: 1234.567, p999Ms: 1234.567, maxMs: 1234.567 })
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
  const ours = mergeLatencies([one.take(), other.take()])
  if (ours === undefined) throw new Error('There is a sample')
  return { ours, theirs }
}

describe('of random samples, shared out over two records,', () => {
  const us = fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 0, max: 700_000_000 }))
  const samples = fc.array(fc.tuple(us, fc.boolean()), { minLength: 1, maxLength: 300 })

  test('percentiles are those of HdrHistogram, within the samples', () => {
    const percent = fc.oneof(fc.constantFrom(50, 95, 99, 99.9, 100), fc.double({ min: 0.01, max: 100, noNaN: true }))
    fc.assert(
      fc.property(samples, percent, (drawn, wanted) => {
        const { ours, theirs } = measured(drawn)
        const values = drawn.map(([value]) => value)
        const [least, greatest] = [Math.min(...values), Math.max(...values)]
        const exact = Math.max(least, Math.min(greatest, theirs.getValueAtPercentile(wanted)))
        expect(percentileMs(ours, wanted)).toBe(exact / 1000)
      }),
      { numRuns: 500 },
    )
  })

  test('the histogram is the one that HdrHistogram writes', () => {
    fc.assert(
      fc.property(samples, (drawn) => {
        const { ours, theirs } = measured(drawn)
        expect(toLatency(ours).histogram).toBe(encodeIntoCompressedBase64(theirs))
      }),
    )
  })
})
