import { MalformedBson } from '../../protocol/bson/malformed.ts'
import { createMessageReader, type OnMessage } from '../../protocol/wire/message-reader.ts'

/**
 * Reads messages as long as they are some: whatever else two ends say to each other is not read.
 * @returns Takes the next piece; whether it could be read.
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
