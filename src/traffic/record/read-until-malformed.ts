import { MalformedBson } from '../../protocol/bson/malformed.ts'
import { createMessageReader, type OnMessage } from '../../protocol/wire/message-reader.ts'

/**
 * Reads messages until bytes are not one: what follows is not read.
 * @returns a function that takes the next piece, and returns whether it could be read.
 */
export function readUntilMalformed(onMessage: OnMessage): (piece: Buffer, length?: number) => boolean {
  const read = createMessageReader(onMessage)
  let isReadable = true
  return (piece, length) => {
    if (!isReadable) return false
    try {
      read(piece, length)
    } catch (error) {
      if (!(error instanceof MalformedBson)) throw error
      isReadable = false
    }
    return isReadable
  }
}
