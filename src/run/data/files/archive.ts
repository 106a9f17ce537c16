import { deserialize } from 'bson'
import { type BsonWriter } from '../../../protocol/bson/writer.ts'
import { type Namespace } from '../../../spec/schema/namespace.ts'
import { broken, copyDocument, isThere, needDocument } from './bson.ts'
import { ByteStream } from './byte-stream.ts'
import { type Content } from './content.ts'
import { Crc64 } from './crc64.ts'
import { type Documents, readable } from './documents.ts'

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
