import { Problem } from '../../../core/errors.ts'
import type { BsonWriter } from '../../../protocol/bson/writer.ts'
import type { Content } from './content.ts'
import { type Documents, createDocuments, maxDocument, readable } from './documents.ts'
import { parseDocument } from './parse-document.ts'
import { splitLines } from './read-lines.ts'

/** A document of a list, from 1, with its first byte in the file. No bytes: it is longer than any may be, or `reason` says what is wrong. */
type JsonItem = {
  readonly number: number
  readonly at: number
  readonly bytes: Buffer | undefined
  readonly reason?: string
}

const code = (letter: string): number => letter.charCodeAt(0)
const [quote, backslash, comma] = [code('"'), code('\\'), code(',')]
const [openList, closeList, openObject, closeObject] = [code('['), code(']'), code('{'), code('}')]
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

/** A place between documents: before all, behind one that is in no list, at the beginning of a list, behind one in it, behind it. */
type Place = 'start' | 'behind' | 'list' | 'item' | 'end'

/** The bytes that may stand at a place beside blanks, and where they lead: an opening brace behind its document. */
const steps: Readonly<Record<Place, ReadonlyMap<number, Place>>> = {
  start: new Map([[openObject, 'behind'] as const, [openList, 'list'] as const]),
  behind: new Map([[openObject, 'behind']]),
  list: new Map([[openObject, 'item'] as const, [closeList, 'end'] as const]),
  item: new Map([[openObject, 'item'] as const, [comma, 'item'] as const, [closeList, 'end'] as const]),
  end: new Map(),
}

const stepOver = (place: Place, byte: number): Place | undefined => (blanks.has(byte) ? place : steps[place].get(byte))

const strayAt = (place: Place): string => (place === 'end' ? 'follows the end of the list' : 'is not a document')

/** How much deeper a byte leads into a document. */
const nesting = Int8Array.from({ length: 256 }, (_, byte) =>
  byte === openList || byte === openObject ? 1 : byte === closeList || byte === closeObject ? -1 : 0,
)

/** A document whose end has not been found. */
type Unfinished = { at: number; parts: Buffer[]; length: number; depth: number; inText: boolean; isEscaped: boolean }

const begin = (at: number): Unfinished => ({ at, parts: [], length: 0, depth: 0, inText: false, isEscaped: false })

/**
 * Reads on in a document.
 * @returns the index behind its end, or behind the chunk.
 */
function readOn(document: Unfinished, chunk: Buffer, from: number): number {
  let { depth, inText, isEscaped } = document
  let i = from
  do {
    const byte = chunk[i++] as number
    if (isEscaped) isEscaped = false
    else if (byte === quote) inText = !inText
    else if (inText) isEscaped = byte === backslash
    else depth += nesting[byte] as number
  } while (depth > 0 && i < chunk.length)
  document.parts.push(chunk.subarray(from, i))
  Object.assign(document, { depth, inText, isEscaped, length: document.length + i - from })
  return i
}

/** Undefined: the document goes on, and is not too long. */
function finish({ at, parts, length, depth }: Unfinished, maxLength: number): Omit<JsonItem, 'number'> | undefined {
  if (length > maxLength) return { at, bytes: undefined }
  return depth > 0 ? undefined : { at, bytes: Buffer.concat(parts) }
}

/**
 * Splits a list of documents, or documents one after the other, by their braces, as they are asked for: a file of any size
 * needs the memory of a document. What is between the braces is not looked at.
 */
async function* splitJson({ chunks }: Pick<Content, 'chunks'>, maxItem: number): AsyncGenerator<JsonItem, void> {
  let place: Place = 'start'
  let open: Unfinished | undefined
  let [number, before] = [1, 0]
  const stray = (at: number, reason: string): JsonItem => ({ number, at, bytes: undefined, reason })
  for await (const chunk of chunks) {
    for (let i = 0; i < chunk.length;) {
      if (open === undefined) {
        const next = stepOver(place, chunk[i] as number)
        if (next === undefined) return yield stray(before + i, strayAt(place))
        place = next
        if (chunk[i] === openObject) open = begin(before + i)
        else i += 1
      } else {
        i = readOn(open, chunk, i)
        const whole = finish(open, maxItem)
        if (whole === undefined) break
        yield { number, ...whole }
        number += 1
        open = undefined
      }
    }
    before += chunk.length
  }
  if (open !== undefined) yield stray(open.at, 'has no end: the file is cut short')
  else if (steps[place].has(closeList)) yield stray(before, 'is missing: the list has no end, the file is cut short')
}

/**
 * The documents of a file, one per line. Lines with nothing in them are passed over.
 * @param file As the spec names it, for messages.
 * @throws {Problem} at the first line that holds no document, with its number.
 */
export const readJsonLines = (file: string, content: Content, maxLine = maxDocument): Documents =>
  createDocuments(readable(file, splitLines(content, maxLine)), ({ number, bytes }, out) =>
    writeText(bytes, out, (reason) => brokenLine(file, number, `the line ${reason}`)),
  )

/**
 * The documents of a file that holds a list of them, or one after the other, over any lines.
 * @throws {Problem} at the first one that is none, with its number and its first byte.
 */
export const readJsonList = (file: string, content: Content): Documents =>
  createDocuments(readable(file, splitJson(content, maxDocument)), ({ number, at, bytes, reason }, out) =>
    writeText(bytes, out, (why) => brokenList(file, number, at, reason ?? why)),
  )

const brokenLine = (file: string, line: number, reason: string): Problem =>
  new Problem('spec-invalid', `${file}:${line}: ${reason}`, {
    hint: 'A file of data holds one document of Extended JSON per line, as mongoexport of 4.2 or later writes it.',
  })

const brokenList = (file: string, number: number, at: number, reason: string): Problem =>
  new Problem('spec-invalid', `${file}: document ${number}, at byte ${at}, ${reason}`, {
    hint: 'A JSON array of data holds documents of Extended JSON, as mongoexport --jsonArray writes it.',
  })

/** @returns whether the text holds a document: it may be blank. */
function writeText(bytes: Buffer | undefined, out: BsonWriter, broken: (reason: string) => Problem): boolean {
  if (bytes === undefined) throw broken('is longer than 16 MB')
  try {
    const text = decodeText(bytes)
    if (text === undefined) throw new Error(notUtf8)
    if (text.trim() === '') return false
    const start = out.at
    out.document(parseDocument(text))
    const length = out.at - start
    if (length > maxDocument) throw new Error('has more than 16 MB of BSON, the most that the server takes')
    return true
  } catch (error) {
    throw broken(error instanceof Error ? error.message : String(error))
  }
}

/** Reason why bytes that no UTF-8 decoder reads are refused. */
export const notUtf8 = 'is not UTF-8; to convert Latin-1, use iconv -f LATIN1 -t UTF-8'

/** Passes over a byte order mark. */
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Undefined where the bytes are no UTF-8. */
export function decodeText(bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
