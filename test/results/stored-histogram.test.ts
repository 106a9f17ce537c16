import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { hdrHistogram } from '../../src/core/hdr-histogram.ts'
import { compactHistogram } from '../../src/load/measure/latency.ts'
import { isStoredHistogram } from '../../src/results/stored-histogram.ts'
import { storedResult } from '../fakes/stored-results.ts'

type Damage = {
  readonly cookie?: number
  readonly digits?: number
  readonly lowest?: bigint
  readonly highest?: bigint
  readonly counts?: Buffer
  /** The length that the header claims. */
  readonly claimed?: number
}

/** A histogram as results have them, except for what is damaged. */
function histogram({ cookie = 0x1c849313, digits = 3, lowest = 1n, highest = 600_000_000n, ...of }: Damage = {}) {
  const counts = of.counts ?? Buffer.from([2])
  const head = Buffer.alloc(40)
  head.writeInt32BE(cookie, 0)
  head.writeInt32BE(of.claimed ?? counts.length, 4)
  head.writeInt32BE(digits, 12)
  head.writeBigInt64BE(lowest, 16)
  head.writeBigInt64BE(highest, 24)
  const compressed = deflateSync(Buffer.concat([head, counts]))
  const start = Buffer.alloc(8)
  start.writeInt32BE(0x1c849314, 0)
  start.writeInt32BE(compressed.length, 4)
  return Buffer.concat([start, compressed]).toString('base64')
}

describe('a histogram of a result is accepted', () => {
  test.each([1, 2, 3] as const)('with %i digits, its largest and its smallest bucket filled', (digits) => {
    const { build, encodeIntoCompressedBase64 } = hdrHistogram()
    const numberOfSignificantValueDigits = digits
    const full = build({ bitBucketSize: 32, highestTrackableValue: 600_000_000, numberOfSignificantValueDigits })
    for (const us of [1, 1000, 600_000_000]) full.recordValueWithCount(us, 2 ** 31)
    expect(isStoredHistogram(encodeIntoCompressedBase64(full))).toBe(true)
  })

  test('as runs store it, and with fewer digits', () => {
    const stored = storedResult('quickstart').variants[0]?.phases[0]?.operations[0]?.latency.ok?.histogram ?? ''
    expect(isStoredHistogram(stored)).toBe(true)
    expect(isStoredHistogram(compactHistogram(stored))).toBe(true)
    expect(isStoredHistogram(histogram())).toBe(true)
  })
})

test.each<[string, string]>([
  ['what is no Base64', '!!!!'],
  ['an empty text', ''],
  ['a text that was cut', histogram().slice(0, -4)],
  ['bytes that are not compressed', Buffer.from([0x1c, 0x84, 0x93, 0x14, 0, 0, 0, 1, 7, 7, 7, 7]).toString('base64')],
  ['another encoding', histogram({ cookie: 0x1c849301 })],
  ['a length of its counts that is negative: it was read for ever', histogram({ claimed: -1 })],
  ['a range of which each bucket would be memory', histogram({ highest: 2n ** 60n })],
  ['an empty range', histogram({ highest: 0n })],
  ['a smallest value of 0', histogram({ lowest: 0n })],
  ['more digits than any', histogram({ digits: 5 })],
  ['a text that unpacks to gigabytes', histogram({ counts: Buffer.alloc(64 * 2 ** 20) })],
  ['more counts than buckets', histogram({ counts: Buffer.alloc(30_000) })],
  ['more empty buckets than there are', histogram({ counts: Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f]) })],
  ['a count of nine bytes', histogram({ counts: Buffer.alloc(9, 0xff) })],
  ['a count that ends with the text', histogram({ counts: Buffer.from([0x80]) })],
])('%s is no histogram', (_, text) => {
  expect(isStoredHistogram(text)).toBe(false)
})
