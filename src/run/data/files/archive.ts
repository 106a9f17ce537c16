import { deserialize } from 'bson'
import type { BsonWriter } from '../../../protocol/bson/writer.ts'
import type { Namespace } from '../../../spec/schema/namespace.ts'
import { broken, copyDocument, isThere, needDocument } from './bson.ts'
import { ByteStream } from './byte-stream.ts'
import type { Content } from './content.ts'
import { type Documents, readable } from './documents.ts'

/** The polynomial of ECMA-182, its bits in reverse, in halves. */
const [polynomialHigh, polynomialLow] = [0xc96c5795, 0xd7870f42]

const [high, low] = [new Int32Array(256), new Int32Array(256)]
for (let byte = 0; byte < 256; byte++) {
  let [h, l] = [0, byte]
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = (l & 1) === 1
    l = (l >>> 1) | (h << 31)
    h >>>= 1
    if (isOdd) [h, l] = [h ^ polynomialHigh, l ^ polynomialLow]
  }
  high[byte] = h
  low[byte] = l
}

/** The checksum of an archive of mongodump: CRC-64 of ECMA-182, in halves because a bigint for each byte costs too much. */
export class Crc64 {
  #high = -1
  #low = -1

  add(bytes: Uint8Array, start: number, end: number): void {
    let [h, l] = [this.#high, this.#low]
    for (let i = start; i < end; i++) {
      const index = (l ^ (bytes[i] as number)) & 0xff
      l = ((l >>> 8) | (h << 24)) ^ (low[index] as number)
      h = (h >>> 8) ^ (high[index] as number)
    }
    this.#high = h
    this.#low = l
  }

  /** The checksum of what has been added, as the int64 in which archives have it. */
  value(): bigint {
    return BigInt.asIntN(64, (BigInt(~this.#high >>> 0) << 32n) | BigInt(~this.#low >>> 0))
  }
}

/** The header of a segment: whose documents follow, or that there are no more of them, and their checksum. */
type Header = { readonly db: string; readonly collection: string; readonly EOF: boolean; readonly CRC: bigint }

const magicBytes = 4
/** Stands in the place of the length of a document at the end of a segment. */
const terminator = -1

/**
 * The documents of one collection of an archive of mongodump (`--archive`), whose segments lie between those of others.
 * They are copied as they are, and their checksum must be that of the archive.
 */
export function readArchive(file: string, { chunks }: Content, { database, collection }: Namespace): Documents {
  const stream = new ByteStream(readable(file, chunks))
  const crc = new Crc64()
  /** Whether a segment of the collection is read. */
  let isInside = false
  let isPastPrelude = false
  let isOver = false

  function copy(out: BsonWriter): true {
    const { bytes, at } = stream
    copyDocument(file, stream, out)
    crc.add(bytes, at, stream.at)
    return true
  }

  async function writeLater(out: BsonWriter): Promise<boolean> {
    if (isOver) return false
    if (!isPastPrelude) await skipPrelude()
    while (!isInside || (await atTerminator())) {
      const header = await readHeader()
      isInside = header.db === database && header.collection === collection
      if (isInside && header.EOF) return endWith(header)
      if (!isInside) await skipToTerminator()
    }
    await needDocument(file, stream)
    return copy(out)
  }

  function endWith({ CRC }: Header): false {
    isOver = true
    isInside = false
    if (CRC === crc.value()) return false
    throw broken(file, stream.offset, 'follows data whose checksum is wrong: the archive is damaged')
  }

  async function skipPrelude(): Promise<void> {
    isPastPrelude = true
    await stream.need(magicBytes)
    stream.at = Math.min(magicBytes, stream.bytes.length)
    await skipToTerminator()
  }

  async function skipToTerminator(): Promise<void> {
    for (;;) {
      while (isThere(stream)) stream.at += stream.int32()
      if (await atTerminator()) return
      await needDocument(file, stream)
    }
  }

  /** Steps over the terminator, where one is next. */
  async function atTerminator(): Promise<boolean> {
    if (!(await stream.need(4)))
      throw broken(file, stream.offset, `is missing: the archive ends before all of "${collection}"`)
    if (stream.int32() !== terminator) return false
    stream.at += 4
    return true
  }

  async function readHeader(): Promise<Header> {
    if (await atTerminator()) throw broken(file, stream.offset, 'should be the header of a collection')
    await needDocument(file, stream)
    const end = stream.at + stream.int32()
    try {
      const read = deserialize(stream.bytes.subarray(stream.at, end), { useBigInt64: true })
      stream.at = end
      if (typeof read['db'] !== 'string' || typeof read['collection'] !== 'string') throw new Error('no name')
      return { ...(read as Header), CRC: BigInt(read['CRC'] as bigint) }
    } catch {
      throw broken(file, stream.offset, 'should be the header of a collection, and is damaged')
    }
  }

  return {
    write: (out) => (isInside && isThere(stream) ? copy(out) : writeLater(out)),
    close: () => stream.close(),
  }
}
