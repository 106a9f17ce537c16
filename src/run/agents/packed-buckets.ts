/** Of a number of 32 bits, 7 in each byte. */
const maxBytesPerNumber = 5

/**
 * Packs the buckets of a histogram, pairs of an index and a count in the order of the indices. All indices come first, each as the distance from the one before, then
 * the counts: most of these numbers fit into a byte, and numbers of one kind compress well.
 */
export function packBuckets(buckets: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(buckets.length * maxBytesPerNumber)
  let at = 0
  const write = (number: number): void => {
    let left = number
    for (; left > 0x7f; left >>>= 7) bytes[at++] = (left & 0x7f) | 0x80
    bytes[at++] = left
  }
  for (let i = 0; i < buckets.length; i += 2)
    write(((buckets[i] as number) - (i === 0 ? 0 : (buckets[i - 2] as number))) >>> 0)
  for (let i = 1; i < buckets.length; i += 2) write(buckets[i] as number)
  return bytes.subarray(0, at)
}

/**
 * Unpacks what `packBuckets` packed.
 * @throws {RangeError} when there is a distance without a count.
 */
export function unpackBuckets(bytes: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(bytes.length)
  let [length, number, shift] = [0, 0, 0]
  for (const byte of bytes) {
    number |= (byte & 0x7f) << shift
    shift += 7
    if (byte > 0x7f) continue
    numbers[length++] = number
    number = 0
    shift = 0
  }
  if (length % 2 !== 0) throw new RangeError('The buckets of a histogram are pairs')
  const buckets = new Uint32Array(length)
  for (let i = 0, index = 0; i < length; i += 2) {
    index += numbers[i / 2] as number
    buckets[i] = index
    buckets[i + 1] = numbers[(length + i) / 2] as number
  }
  return buckets
}
