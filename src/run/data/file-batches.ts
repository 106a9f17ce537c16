import { calculateObjectSize } from 'bson'
import { Problem } from '../../errors.ts'
import { type Built } from '../../plan/data-set.ts'
import { type Batch, createBatcher } from './batches.ts'
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
export async function* fileBatches(file: string, { lines }: LineReader, most: number): AsyncGenerator<Batch, void> {
  const batcher = createBatcher()
  let documents = 0
  for await (const line of readable(file, lines)) {
    const built = readLine(file, line)
    const ready = built && batcher.add(built)
    if (ready) yield ready
    if (built && ++documents === most) break
  }
  const last = batcher.rest()
  if (last) yield last
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

/** Undefined: the line is blank. */
function readLine(file: string, { number, bytes: line }: Line): Built | undefined {
  if (line === undefined) throw broken(file, number, `is longer than ${maxLine} bytes`)
  try {
    const text = textOf(line)
    if (text.trim() === '') return undefined
    const document = parseDocument(text)
    const bytes = calculateObjectSize(document)
    if (bytes > maxLine) throw new Error(`has ${bytes} bytes of BSON; the server takes at most ${maxLine}`)
    return { document, bytes }
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
