import { expect, test } from 'vitest'
import { placeKey, Stream } from '../../../src/core/random.ts'
import { LatencyRecord } from '../../../src/load/measure/latency.ts'
import { pack, packBuckets, unpack, unpackBuckets } from '../../../src/run/agents/pack.ts'

const most = 2 ** 32 - 1

test.each([
  ['no bucket', []],
  ['the first bucket', [0, 1]],
  ['counts and distances of one to five bytes', [5, 127, 132, 128, 20_600, 16_384, 2_200_000, 2_097_152, most, most]],
])('%s is unpacked as it was packed', (_what, buckets) => {
  expect([...unpackBuckets(packBuckets(Uint32Array.from(buckets)))]).toEqual(buckets)
})

test('histograms of drawn latencies come out of a message as they went in, in a third of their bytes', () => {
  const stream = new Stream(placeKey(1, 'latencies')).at(0)
  const record = new LatencyRecord()
  for (let i = 0; i < 5000; i++) record.add(Math.round(100 * 1000 ** stream.float()))
  const part = record.take()
  const packed = pack(part)
  expect(unpack(packed)).toEqual(part)
  expect(packed.length).toBeLessThan((part?.buckets.byteLength ?? 0) / 3)
})

test('a part that is in two places is unpacked once', () => {
  const part = { buckets: Uint32Array.of(1, 2) }
  const unpacked = unpack(pack([part, part])) as readonly unknown[]
  expect(unpacked[0]).toBe(unpacked[1])
})

test('bytes come out of a message as they went in', () => {
  expect(unpack(pack({ ids: Uint8Array.of(1, 2, 255) }))).toEqual({ ids: Uint8Array.of(1, 2, 255) })
})

test('a distance without a count is refused', () => {
  expect(() => unpackBuckets(Uint8Array.of(7))).toSay('buckets-not-paired')
})
