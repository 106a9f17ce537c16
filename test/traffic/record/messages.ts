import { deflateSync } from 'node:zlib'
import { type Document, serialize } from 'bson'

type Options = {
  readonly requestId?: number
  readonly respondsTo?: number
  readonly flags?: number
  readonly sequences?: Readonly<Record<string, readonly Document[]>>
}

/** An OP_MSG, with documents in sequences of their own. */
export function aMessage(
  document: Document,
  { requestId = 1, respondsTo = 0, flags = 0, sequences = {} }: Options = {},
): Buffer {
  const sections = Object.entries(sequences).map(([name, documents]) => {
    const content = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map((one) => serialize(one))])
    return Buffer.concat([Buffer.from([1]), int32(content.length + 4), content])
  })
  const body = Buffer.concat([int32(flags), ...sections, Buffer.from([0]), serialize(document)])
  return Buffer.concat([int32(16 + body.length), int32(requestId), int32(respondsTo), int32(2013), body])
}

/** The first message of a driver, in the old form. */
export function aQuery(document: Document, requestId: number): Buffer {
  const body = Buffer.concat([int32(0), Buffer.from('admin.$cmd\0'), int32(0), int32(-1), serialize(document)])
  return Buffer.concat([int32(16 + body.length), int32(requestId), int32(0), int32(2004), body])
}

/** The reply to it. */
export function anOldReply(document: Document, respondsTo: number): Buffer {
  const body = Buffer.concat([int32(8), Buffer.alloc(8), int32(0), int32(1), serialize(document)])
  return Buffer.concat([int32(16 + body.length), int32(9), int32(respondsTo), int32(1), body])
}

/** A message in an OP_COMPRESSED. */
export function compressed(message: Buffer, compressor = 2, pack: (bytes: Buffer) => Buffer = deflateSync): Buffer {
  const packed = pack(message.subarray(16))
  const body = Buffer.concat([message.subarray(12, 16), int32(message.length - 16), Buffer.from([compressor]), packed])
  const header = Buffer.from(message.subarray(0, 16))
  header.writeInt32LE(16 + body.length, 0)
  header.writeInt32LE(2012, 12)
  return Buffer.concat([header, body])
}

export const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
