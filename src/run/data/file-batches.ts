import { type BsonWriter } from '../../protocol/bson/writer.ts'
import { Problem } from '../../core/errors.ts'
import { type FillBatch, isFull } from './batches.ts'
import { parseDocument } from './parse-document.ts'
import { type Line, type LineReader } from './read-lines.ts'

/** Bytes of a line, and of a document: the server takes no larger ones. */
export const maxLine = 16 * 1024 * 1024

/**
 * The documents of a file, one per line. Lines with nothing in them are passed over.
 * @param file As the spec names it, for messages.
 * @param most How many documents; 0 is all.
 * @throws {Problem} at the first line that holds no document, with its number.
 */
export function fileBatches(file: string, { lines }: LineReader, most: number): FillBatch {
  const source = readable(file, lines)
  const isWanted = (documents: number): boolean => most === 0 || documents < most
  let documents = 0
  let last: Promise<number> = Promise.resolve(0)

  async function fill(out: BsonWriter): Promise<number> {
    const first = documents
    while (!isFull(out, documents - first) && isWanted(documents)) {
      const { value: line } = await source.next()
      if (!line) break
      if (writeLine(file, line, out)) documents += 1
    }
    if (documents === first) await source.return()
    return documents - first
  }
  // One after the other, as the lines come.
  return (out) => (last = last.then(() => fill(out)))
}

/** What the system says of a file that it cannot read to the end is no bug of ours. */
async function* readable(file: string, lines: AsyncIterable<Line>): AsyncGenerator<Line, void> {
  try {
    yield* lines
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Problem('spec-invalid', `${file} cannot be read: ${reason}`, { hint: 'Correct "file" in the spec.' })
  }
}

/** @returns whether the line holds a document: it may be blank. */
function writeLine(file: string, { number, bytes: line }: Line, out: BsonWriter): boolean {
  if (line === undefined) throw broken(file, number, `is longer than ${maxLine} bytes`)
  try {
    const text = textOf(line)
    if (text.trim() === '') return false
    const start = out.at
    out.document(parseDocument(text))
    const bytes = out.at - start
    if (bytes > maxLine) throw new Error(`has ${bytes} bytes of BSON; the server takes at most ${maxLine}`)
    return true
  } catch (error) {
    throw broken(file, number, error instanceof Error ? error.message : String(error))
  }
}

/** Passes over a byte order mark. */
const decoder = new TextDecoder('utf-8', { fatal: true })

function textOf(line: Buffer): string {
  try {
    return decoder.decode(line)
  } catch {
    throw new Error('is not UTF-8')
  }
}

const broken = (file: string, number: number, reason: string): Problem =>
  new Problem('spec-invalid', `${file}:${number}: the line ${reason}`, {
    hint: 'A file of data holds one document of Extended JSON per line, as mongoexport writes it.',
  })
