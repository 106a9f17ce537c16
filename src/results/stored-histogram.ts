import { inflateSync } from 'node:zlib'

/** The name of the format in the JSON Schema of results. */
export const histogramFormat = 'hdr-histogram'

/** The numbers that a histogram begins with: HDR V2, compressed, and inside of that HDR V2 with numbers of up to nine bytes. */
const cookies = { compressed: 0x1c849314, counts: 0x1c849313 } as const
const headerBytes = { compressed: 8, counts: 40 } as const

/** Latencies are recorded up to 10 minutes, in microseconds: below 2 to this power. */
const maxBits = 30
/** The largest histogram of three digits, with the most that each of its counts can take. */
const maxBytes = 2 ** 18
/** The most bytes of a count, 7 bits each. A larger one does not fit into the histogram that it is read into. */
const maxBytesPerCount = 5

/**
 * Whether a text is a histogram as results have them. Whoever decodes one trusts its header and its counts, which would let a damaged one take any time
 * and any memory: so each is examined when a result is read.
 */
export function isStoredHistogram(text: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return false
  const data = inflated(Buffer.from(text, 'base64'))
  if (data === undefined || data.length < headerBytes.counts || data.readInt32BE(0) !== cookies.counts) return false
  const digits = data.readInt32BE(12)
  const isKnown = digits >= 1 && digits <= 3 && data.readBigInt64BE(16) === 1n
  const highest = data.readBigInt64BE(24)
  if (!isKnown || highest < 2n || highest >= 2n ** BigInt(maxBits)) return false
  const counts = data.subarray(headerBytes.counts)
  return data.readInt32BE(4) === counts.length && fit(counts, digits)
}

/** Undefined: they are not compressed as a histogram is, or would be larger than any. */
function inflated(bytes: Buffer): Buffer | undefined {
  if (bytes.length < headerBytes.compressed || bytes.readInt32BE(0) !== cookies.compressed) return undefined
  const length = bytes.readInt32BE(4)
  if (length < 0 || length > bytes.length - headerBytes.compressed) return undefined
  try {
    return inflateSync(bytes.subarray(headerBytes.compressed, headerBytes.compressed + length), {
      maxOutputLength: maxBytes,
    })
  } catch {
    return undefined
  }
}

/** Whether there are no more counts than buckets. An even number is twice a count, an odd one twice the number of empty buckets, less one. */
function fit(counts: Uint8Array, digits: number): boolean {
  const bitsOfBucket = 3 * digits + 2
  const maxBuckets = (maxBits + 2 - bitsOfBucket) * 2 ** (bitsOfBucket - 1)
  let [buckets, number, length] = [0, 0, 0]
  for (const byte of counts) {
    number += (byte & 0x7f) * 2 ** (7 * length++)
    if (byte > 0x7f && length < maxBytesPerCount) continue
    buckets += number % 2 === 0 ? 1 : (number + 1) / 2
    if (byte > 0x7f || number >= 2 ** 33 || buckets > maxBuckets) return false
    number = length = 0
  }
  return length === 0
}
