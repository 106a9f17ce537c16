import { Problem } from '../../../core/errors.ts'
import { type BsonWriter } from '../../../protocol/bson/writer.ts'
import { type Content } from './content.ts'
import { type Documents, createDocuments, maxDocument, readable } from './documents.ts'
import { parseDocument } from './parse-document.ts'
import { splitLines } from './read-lines.ts'
import { splitJson } from './split-json.ts'

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
