import { decodeFromCompressedBase64 } from 'hdr-histogram-js'
import { expect, test } from 'vitest'
import { LatencyRecord, toLatency } from '../../src/measure/latency.ts'
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
