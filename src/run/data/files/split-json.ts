import { type Content } from './content.ts'

/** A document of a list, from 1, with its first byte in the file. No bytes: it is longer than any may be, or `reason` says what is wrong. */
export type JsonItem = {
  readonly number: number
  readonly at: number
  readonly bytes: Buffer | undefined
  readonly reason?: string
}

const code = (letter: string): number => letter.charCodeAt(0)
const [quote, backslash, comma] = [code('"'), code('\\'), code(',')]
const [openList, closeList, openObject, closeObject] = [code('['), code(']'), code('{'), code('}')]
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

/**
 * Splits a list of documents, or documents one after the other, by their braces, as they are asked for: a file of any size
 * needs the memory of a document. What is between the braces is not looked at.
 */
export async function* splitJson({ chunks }: Pick<Content, 'chunks'>, maxItem: number): AsyncGenerator<JsonItem, void> {
  let parts: Buffer[] = []
  let length = 0
  let [depth, number, startAt, before] = [0, 0, 0, 0]
  let [inText, isEscaped, inList, isOver] = [false, false, false, false]

  const stray = (at: number, reason: string): JsonItem => ({ number: number + 1, at, bytes: undefined, reason })
  function keep(part: Buffer): void {
    length += part.length
    if (length <= maxItem) parts.push(part)
    else parts = []
  }
  function take(): JsonItem {
    const bytes = length > maxItem ? undefined : Buffer.concat(parts)
    parts = []
    length = 0
    number += 1
    return { number, at: startAt, bytes }
  }

  for await (const chunk of chunks) {
    let from = 0
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number
      if (inText) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) inText = false
      } else if (depth > 0) {
        if (byte === quote) inText = true
        else if (byte === openObject || byte === openList) depth += 1
        else if ((byte === closeObject || byte === closeList) && --depth === 0) {
          keep(chunk.subarray(from, i + 1))
          yield take()
        }
      } else if (byte === openObject && !isOver) {
        ;[depth, from, startAt] = [1, i, before + i]
      } else if (byte === openList && !inList && number === 0) inList = true
      else if (byte === closeList && inList && !isOver) isOver = true
      else if (!blanks.has(byte) && !(byte === comma && inList && !isOver && number > 0))
        return yield stray(before + i, isOver ? 'follows the end of the list' : 'is not a document')
    }
    if (depth > 0) keep(chunk.subarray(from))
    if (length > maxItem) return yield take()
    before += chunk.length
  }
  if (depth > 0) yield stray(startAt, 'has no end: the file is cut short')
  else if (inList && !isOver) yield stray(before, 'is missing: the list has no end, the file is cut short')
}
