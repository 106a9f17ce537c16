import { type Content } from './content.ts'

/** A line of a file, from 1. No bytes: it is longer than any line may be. */
export type Line = { readonly number: number; readonly bytes: Buffer | undefined }

const newline = 0x0a
/** More empty lines in a row are no data, and would take minutes. */
const maxEmpty = 1_000_000

/**
 * Splits what ends with LF into lines, as they are asked for: a file of any size needs the memory of a line.
 * (Node's `readline` also ends lines at characters that texts in JSON may hold, and keeps a line of any length.)
 * @param maxLine In bytes.
 * @throws {Error} after a million empty lines in a row.
 */
export async function* splitLines({ chunks }: Pick<Content, 'chunks'>, maxLine: number): AsyncGenerator<Line, void> {
  let parts: Buffer[] = []
  let length = 0
  let [number, empty] = [0, 0]

  function take(): Line {
    number += 1
    empty = length === 0 ? empty + 1 : 0
    if (empty > maxEmpty) throw new Error(`more than ${maxEmpty / 1_000_000} million empty lines in a row`)
    const bytes = length > maxLine ? undefined : Buffer.concat(parts)
    parts = []
    length = 0
    return { number, bytes }
  }
  function keep(part: Buffer): void {
    length += part.length
    // Of a line that is too long nothing is kept: it may be the whole of a large file.
    if (length <= maxLine) parts.push(part)
    else parts = []
  }

  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      keep(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    keep(chunk.subarray(start))
    if (length > maxLine) break
  }
  if (length > 0) yield take()
}
