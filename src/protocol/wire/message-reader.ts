import { messageLengthAt } from './frame.ts'

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
