import { type Document } from 'bson'
import { encodeMessage } from '../../../src/protocol/wire/frame.ts'

/** What a server sends in reply to a request, with parts of it changed. */
export function aReply(
  document: Document,
  respondsTo: number,
  { opCode = 2013, flags = 0, kind = 0 }: { opCode?: number; flags?: number; kind?: number } = {},
): Buffer {
  const message = encodeMessage(document, 0)
  message.writeInt32LE(respondsTo, 8)
  message.writeInt32LE(opCode, 12)
  message.writeInt32LE(flags, 16)
  message[20] = kind
  return message
}

/** A message whose header names another length than it has. */
export function withLength(message: Buffer, length: number): Buffer {
  const changed = Buffer.from(message)
  changed.writeInt32LE(length, 0)
  return changed
}
