import { DefaultDeserializer, DefaultSerializer } from 'node:v8'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { packBuckets, unpackBuckets } from './packed-buckets.ts'

/** No message is longer, unpacked: what claims to be is no message of ours. */
const maxBytes = 512 * 2 ** 20

/** The most that packed bytes may unpack to: a megabyte of zeros packs into a kilobyte, and many of ours pack well. */
const maxUnpacked = ({ length }: Uint8Array): number => Math.min(maxBytes, 16 * 2 ** 20 + 100 * length)

/** What is written in front of the bytes of an array. */
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
