import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** A line of a file, from 1. No bytes: it is longer than any line may be. */
export type Line = { readonly number: number; readonly bytes: Buffer | undefined }

/** A file that is read line by line. */
export type LineReader = {
  /** Read as they are asked for: a file of any size needs the memory of a line. */
  readonly lines: AsyncGenerator<Line, void>
  /** How much of the file has been read, 0 to 1. */
  readonly fraction: () => number
}

const newline = 0x0a

/**
 * Reads a file of lines that end with LF; `.gz` is decompressed on the way.
 * (Node's `readline` also ends lines at characters that texts in JSON may hold, and keeps a line of any length.)
 * @param bytes Size of the file.
 * @param maxLine In bytes.
 */
export function readLines(path: string, bytes: number, maxLine: number): LineReader {
  const file = createReadStream(path)
  // An error of the file reaches the reader through the end of the pipeline.
  const content: Readable = path.endsWith('.gz') ? pipeline(file, createGunzip(), () => {}) : file
  return {
    lines: splitLines(content, maxLine),
    fraction: () => (bytes === 0 ? 1 : Math.min(1, file.bytesRead / bytes)),
  }
}

async function* splitLines(content: AsyncIterable<Buffer>, maxLine: number): AsyncGenerator<Line, void> {
  let parts: Buffer[] = []
  let length = 0
  let number = 0

  function take(): Line {
    number += 1
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

  for await (const chunk of content) {
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
