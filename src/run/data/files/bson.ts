import { Problem } from '../../../core/errors.ts'
import { groupDigits } from '../../../core/quantities.ts'
import { checkDocument } from '../../../protocol/bson/check-document.ts'
import { MalformedBson } from '../../../protocol/bson/types.ts'
import type { BsonWriter } from '../../../protocol/bson/writer.ts'
import { ByteStream } from './byte-stream.ts'
import type { Content } from './content.ts'
import { type Documents, maxDocument, readable } from './documents.ts'

/** The documents of a file of mongodump, one behind the other. They are copied as they are. */
export function readBson(file: string, { chunks }: Content): Documents {
  const stream = new ByteStream(readable(file, chunks))

  async function writeLater(out: BsonWriter): Promise<boolean> {
    if (!(await stream.need(4))) {
      if (stream.left === 0) return false
      throw broken(file, stream.offset, 'ends in the middle: the file is cut short')
    }
    await needDocument(file, stream)
    return copyDocument(file, stream, out)
  }
  return {
    write: (out) => (isThere(stream) ? copyDocument(file, stream, out) : writeLater(out)),
    close: () => stream.close(),
  }
}

/** Whether the next document has been read whole. */
export const isThere = (stream: ByteStream): boolean =>
  stream.left >= 4 && stream.int32() >= 5 && stream.left >= stream.int32() && stream.int32() <= maxDocument

/** Reads on until a document is there whose length is. @throws {Problem} where it cannot be one. */
export async function needDocument(file: string, stream: ByteStream): Promise<void> {
  const length = stream.int32()
  if (length < 5 || length > maxDocument)
    throw broken(file, stream.offset, `claims ${groupDigits(length)} bytes; a document has 5 to 16,777,216`)
  if (!(await stream.need(length)))
    throw broken(file, stream.offset, `has ${groupDigits(stream.left)} of its ${groupDigits(length)} bytes: it was cut`)
}

/** Copies the next document, which is there. @throws {Problem} where its inside is no BSON. */
export function copyDocument(file: string, stream: ByteStream, out: BsonWriter): true {
  const { bytes, at } = stream
  const end = at + stream.int32()
  try {
    checkDocument(bytes, at, end)
  } catch (error) {
    if (!(error instanceof MalformedBson)) throw error
    throw broken(file, stream.offset, `is not BSON: ${error.message}`)
  }
  out.copy(bytes, at, end)
  stream.at = end
  return true
}

/** The problem of a document that cannot be read. */
export const broken = (file: string, offset: number, reason: string): Problem =>
  new Problem('spec-invalid', `${file}: the document at byte ${offset} ${reason}`, {
    hint: 'Dump the collection again with mongodump, or copy the file again.',
  })
