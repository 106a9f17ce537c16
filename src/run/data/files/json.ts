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

/**
 * Splits a list of documents, or documents one after the other, by their braces, as they are asked for: a file of any size
 * needs the memory of a document. What is between the braces is not looked at.
 */
async function* splitJson({ chunks }: Pick<Content, 'chunks'>, maxItem: number): AsyncGenerator<JsonItem, void> {
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
