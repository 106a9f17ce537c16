import { type Document, serialize } from 'bson'
import { groupDigits } from '../../core/quantities.ts'
import { MalformedMessage } from './wire-error.ts'

/** Length, request id, id of the request that is answered, operation code: four int32. */
const headerBytes = 16
/** Behind the header, 4 bytes of flags and the kind of the first section; then its document, which all other bytes belong to. */
export const bodyOffset = headerBytes + 5
const emptyDocumentBytes = 5

const minMessageBytes = bodyOffset + emptyDocumentBytes
/** `maxMessageSizeBytes` of every server. */
export const maxMessageBytes = 48_000_000

const opMsg = 2013

/** A command as an OP_MSG. @param requestId An int32; the reply repeats it. */
export function encodeMessage(command: Document, requestId: number): Buffer {
  const body = serialize(command)
  const message = Buffer.alloc(bodyOffset + body.length)
  message.writeInt32LE(message.length, 0)
  message.writeInt32LE(requestId, 4)
  message.writeInt32LE(opMsg, 12)
  message.set(body, bodyOffset)
  return message
}

export const readRequestId = (message: Buffer): number => message.readInt32LE(4)

/**
 * Length in bytes of the message that begins at `start`, of which at least 4 bytes are there.
 * @throws {MalformedMessage} where no message has this length.
 */
export function messageLengthAt(bytes: Buffer, start: number): number {
  const length = bytes.readInt32LE(start)
  if (length < minMessageBytes || length > maxMessageBytes)
    throw new MalformedMessage(`a message of ${groupDigits(length)} bytes, not ${minMessageBytes} to 48,000,000`)
  return length
}

/**
 * Checks everything around the document of a reply that lies between `start` and `end`.
 * @throws {MalformedMessage} where it is not the only reply to the request, in one document.
 */
export function checkReply(bytes: Buffer, start: number, end: number, requestId: number): void {
  const code = bytes.readInt32LE(start + 12)
  if (code !== opMsg) throw new MalformedMessage(`operation code ${code}, not ${opMsg}`)
  const respondsTo = bytes.readInt32LE(start + 8)
  if (respondsTo !== requestId) throw new MalformedMessage(`a reply to request ${respondsTo}, not ${requestId}`)
  const flags = bytes.readUInt32LE(start + headerBytes)
  if (flags !== 0) throw new MalformedMessage(`flags ${flags}, none of which were asked for`)
  const kind = bytes[start + bodyOffset - 1]
  if (kind !== 0) throw new MalformedMessage(`a first section of kind ${kind}, not 0`)
  const length = bytes.readInt32LE(start + bodyOffset)
  const room = end - start - bodyOffset
  if (length !== room || bytes[end - 1] !== 0)
    throw new MalformedMessage(`a document of ${length} bytes instead of ${room}`)
}

/** The sender wants no reply. */
const moreToCome = 2

/** Writes everything of a message that precedes its first document. */
export function writeHeader(
  bytes: Buffer,
  start: number,
  length: number,
  requestId: number,
  acknowledged: boolean,
): void {
  bytes.writeInt32LE(length, start)
  bytes.writeInt32LE(requestId, start + 4)
  bytes.writeInt32LE(0, start + 8)
  bytes.writeInt32LE(opMsg, start + 12)
  bytes.writeInt32LE(acknowledged ? 0 : moreToCome, start + headerBytes)
  bytes[start + bodyOffset - 1] = 0
}

/** Takes a whole message: the bytes from `start` to `end`, which are overwritten when it has returned. */
export type OnMessage = (bytes: Buffer, start: number, end: number) => void

const lengthBytes = 4
/** The buffer of a longer message is not kept for the next: there may be thousands of connections. */
const keptBytes = 64 * 1024

/**
 * Finds the messages in a stream that arrives in pieces of any length. A message that arrives in one piece is not copied.
 * @returns Takes the next piece, the first `length` of its bytes.
 * @throws {MalformedMessage} where the length of a message is impossible; no further piece can be taken.
 */
export function createMessageReader(onMessage: OnMessage): (piece: Buffer, length?: number) => void {
  /** The begin of a message whose end has not arrived yet. */
  let partial: Buffer = Buffer.allocUnsafeSlow(lengthBytes)
  let filled = 0

  /** Copies from the piece until `wanted` bytes of the message are there. @returns Where the rest of the piece begins. */
  function fill(wanted: number, piece: Buffer, from: number, length: number): number {
    const to = Math.min(length, from + wanted - filled)
    filled += piece.copy(partial, filled, from, to)
    return to
  }

  function assemble(piece: Buffer, from: number, length: number): number {
    const behindLength = fill(Math.max(lengthBytes, filled), piece, from, length)
    if (filled < lengthBytes) return behindLength
    const wanted = messageLengthAt(partial, 0)
    if (partial.length < wanted) partial = enlarged(partial, filled, wanted)
    const behindMessage = fill(wanted, piece, behindLength, length)
    if (filled === wanted) {
      const message = partial
      filled = 0
      if (wanted > keptBytes) partial = Buffer.allocUnsafeSlow(lengthBytes)
      onMessage(message, 0, wanted)
    }
    return behindMessage
  }

  return (piece, length = piece.length) => {
    let at = filled > 0 ? assemble(piece, 0, length) : 0
    while (length - at >= lengthBytes) {
      const end = at + messageLengthAt(piece, at)
      if (end > length) break
      onMessage(piece, at, end)
      at = end
    }
    if (at < length) assemble(piece, at, length)
  }
}

function enlarged(bytes: Buffer, filled: number, length: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(length)
  bytes.copy(larger, 0, 0, filled)
  return larger
}
