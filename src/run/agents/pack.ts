import { DefaultDeserializer, DefaultSerializer } from 'node:v8'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** No message is longer, unpacked: what claims to be is no message of ours. */
const maxBytes = 512 * 2 ** 20

/** The most that packed bytes may unpack to: a megabyte of zeros packs into a kilobyte, and many of ours pack well. */
const maxUnpacked = ({ length }: Uint8Array): number => Math.min(maxBytes, 16 * 2 ** 20 + 100 * length)

/** Byte in front of the bytes of an array, by kind. */
const kinds = { bytes: 0, buckets: 1 } as const

class Packer extends DefaultSerializer {
  // V8 calls it with what it does not write itself.
  protected _writeHostObject(view: unknown): void {
    if (view instanceof Uint32Array) this.#write(kinds.buckets, packBuckets(view))
    else if (view instanceof Uint8Array) this.#write(kinds.bytes, view)
    else throw new TypeError('Of arrays of numbers, messages carry bytes and buckets of histograms')
  }

  #write(kind: number, bytes: Uint8Array): void {
    this.writeUint32(kind)
    this.writeUint32(bytes.length)
    this.writeRawBytes(bytes)
  }
}

class Unpacker extends DefaultDeserializer {
  protected _readHostObject(): Uint8Array | Uint32Array {
    const kind = this.readUint32()
    const bytes = this.readRawBytes(this.readUint32())
    return kind === kinds.buckets ? unpackBuckets(bytes) : Uint8Array.from(bytes)
  }
}

/** Packs a value so that a queue can carry it: maps, sets and arrays of bytes stay what they are, and nothing of it is code. */
export function pack(value: unknown): Buffer {
  const packer = new Packer()
  packer.writeHeader()
  packer.writeValue(value)
  return deflateRawSync(packer.releaseBuffer(), { level: 1 })
}

/**
 * Unpacks what `pack` packed, on the same major version of Node. Whoever reads from a queue validates it next.
 * @throws {Error} when the bytes were not packed so.
 */
export function unpack(packed: Uint8Array): unknown {
  const unpacker = new Unpacker(inflateRawSync(packed, { maxOutputLength: maxUnpacked(packed) }))
  unpacker.readHeader()
  return unpacker.readValue()
}

/** Bytes of a number of 32 bits, 7 in each. */
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
