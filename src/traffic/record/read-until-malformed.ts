import { type OnMessage, createMessageReader } from '../../protocol/wire/frame.ts'

/**
 * Reads messages until bytes are not one: what follows is not read. Never throws, because it reads what a relay passes on.
 * @param onMalformed Called once, when that happens.
 * @returns a function that takes the next piece, and returns whether it could be read.
 */
export function readUntilMalformed(
  onMessage: OnMessage,
  onMalformed: () => void,
): (piece: Buffer, length?: number) => boolean {
  const read = createMessageReader(onMessage)
  let isReadable = true
  return (piece, length) => {
    if (!isReadable) return false
    try {
      read(piece, length)
    } catch {
      isReadable = false
      onMalformed()
    }
    return isReadable
  }
}
