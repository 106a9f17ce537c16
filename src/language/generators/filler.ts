import { z } from 'zod'
import { mixIn, placeKey, Stream } from '../../core/random.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { BsonWriter } from '../../protocol/bson/writer.ts'
import { asExpression } from '../expression.ts'
import { value } from '../value-schema.ts'
import { isDocument } from '../values/bson-types.ts'
import { createDrawContext, type DrawContext } from '../values/draw-context.ts'
import { keyBytes } from '../values/size-and-hash.ts'
import { objectMaker } from '../values/write-document.ts'
import { defineGenerator } from './generator.ts'

/** Letters in the frequency of English, spaces among them (Lewand, Cryptological Mathematics, 2000): what compression meets in real text. */
const frequencies = 'e12 t9 a8 o8 i7 n7 s6 h6 r6 d4 l4 u3 c3 m2 w2 f2 g2 y2 p2 b1 v1 k1 18'

const letters = frequencies
  .split(' ')
  .map((entry) => (/^\d/.test(entry) ? ' '.repeat(Number(entry)) : entry.charAt(0).repeat(Number(entry.slice(1)))))
  .join('')

/** 1 MiB of such text, the same in every run. Strings are slices of it, which are not copied. */
const sourceLength = 2 ** 20
/** Texts up to this length are written from anywhere in the source without going round: behind its end it begins again. */
const maxShortText = 64

type TextSource = { readonly text: string; readonly bytes: Uint8Array; readonly view: DataView }
let source: TextSource | undefined

function textSource(): TextSource {
  if (source === undefined) {
    const stream = new Stream(placeKey(1, 'filler text')).at(0)
    const bytes = new Uint8Array(sourceLength + maxShortText + wordBytes)
    for (let i = 0; i < sourceLength; i++) bytes[i] = letters.charCodeAt(stream.below(letters.length))
    bytes.copyWithin(sourceLength, 0, maxShortText + wordBytes)
    const text = Buffer.from(bytes.buffer, 0, sourceLength).toString('latin1')
    source = { text, bytes, view: new DataView(bytes.buffer) }
  }
  return source
}

/**
 * Short pieces are copied eight bytes at a time, as doubles, which is several times as fast as any other way. Keys and letters
 * are never the bytes of a NaN, the only double that a copy may change. The last word may write beyond the end of a piece.
 */
const wordBytes = 8

/** Number of possible `intfieldN`, as published: 0 to 99,999. */
const intValues = 100_000
/** `datefieldN` lies within ten billion milliseconds (116 days). */
const firstDate = Date.UTC(2024, 0, 1)
const dateValues = 10_000_000_000
const maxStringLength = 32

/** A document, and the bytes that are left because no field fits into them. */
type Filled = { readonly document: Record<string, unknown>; readonly left: number }

const keysOfTriple = (n: number): readonly [string, string, string] => [
  `intfield${n}`,
  `datefield${n}`,
  `stringfield${n}`,
]

/** The keys of all triples so far, shared by all documents. */
const knownKeys: string[] = []

function tripleKeys(triples: number): readonly string[] {
  for (let next = knownKeys.length / 3 + 1; next <= triples; next++) knownKeys.push(...keysOfTriple(next))
  return knownKeys.slice(0, triples * 3)
}

/** Bytes that all triples of a number share, as it is written: the values and the length of the text are patched. */
type TripleTemplate = {
  /** Whole words, of which the last may be longer than the triple. */
  readonly words: Float64Array
  readonly length: number
  readonly intAt: number
  readonly dateAt: number
}

/** Templates of all triples so far, from triple 1 on; shared by all documents. */
const templates: TripleTemplate[] = []

function makeTemplate(n: number): TripleTemplate {
  const [int, date, string] = keysOfTriple(n)
  const out = new BsonWriter(128)
  const placeFor = (type: number, key: string, bytes: number): number => {
    out.byte(type)
    out.zeroEnded(key)
    out.bytes.fill(0, out.at, (out.at += bytes))
    return out.at - bytes
  }
  const intAt = placeFor(bsonType.int32, int, 4)
  const dateAt = placeFor(bsonType.date, date, 8)
  placeFor(bsonType.string, string, 4)
  const padded = new Uint8Array(Math.ceil(out.at / wordBytes) * wordBytes)
  padded.set(out.bytes.subarray(0, out.at))
  const template = { words: new Float64Array(padded.buffer), length: out.at, intAt, dateAt }
  templates.push(template)
  return template
}

/** BSON bytes of a triple without its text, whose end the template has not. */
const bytesOfTriple = (n: number): number => (templates[n - 1] ?? makeTemplate(n)).length + 1

const textKey = 'text'
/** BSON bytes of an empty string field of that name. */
const emptyTextBytes = keyBytes(textKey) + 5

const isFillerName = (name: string, style: 'triples' | 'text'): boolean =>
  name === textKey || (style === 'triples' && /^(int|date|string)field\d+$/.test(name))

export const filler = defineGenerator({
  keyword: '@filler',
  summary: 'A document of a given BSON size: your fields first, then typed fields until the size is reached.',
  args: z.strictObject({
    sizeKB: z
      .number()
      .positive()
      .max(16 * 1024)
      .describe('BSON size of the whole document in KB of 1024 bytes, including your fields.'),
    fields: z
      .record(z.string(), value)
      .default({})
      .describe('Your fields, before the others; may contain expressions.'),
    style: z
      .enum(['triples', 'text'])
      .default('triples')
      .describe(
        '"triples": intfieldN (0 to 99999), datefieldN, stringfieldN (1 to 32 letters) as often as they fit. "text": one field "text". Default "triples".',
      ),
  }),
  example: { sizeKB: 1, fields: { _id: { '@int': { min: 1, max: 6 } } } },
  countsItself: true,
  compile({ sizeKB, fields, style }, context) {
    const target = Math.round(sizeKB * 1024)
    const own = context.value(fields, 'fields')
    const trial = createDrawContext()
    const firstOwn = own.draw(trial)
    const ownKeys = Object.keys(firstOwn ?? {})
    const clash = ownKeys.find((name) => isFillerName(name, style))
    if (clash !== undefined)
      context.report(`"${clash}" is the name of a generated field; give your own field another name`)
    if (trial.bytes > target)
      context.report(`the own fields take ${trial.bytes} bytes, more than the ${target} of the whole document`)
    const stream = context.stream()
    const { text, bytes: letterBytes, view: letterView } = textSource()
    const cut = (length: number): string => {
      const start = stream.below(sourceLength)
      if (start + length <= sourceLength) return text.slice(start, start + length)
      return (text.slice(start) + text.repeat(Math.ceil(length / sourceLength))).slice(0, length)
    }

    const makers = new Map<number, ReturnType<typeof objectMaker>>()
    /** Reused from document to document; may be longer than the last one needed. */
    const values: unknown[] = []

    /** Makes a document of own fields and triples; the number of triples differs a little from document to document. */
    function make(triples: number): Record<string, unknown> {
      let maker = makers.get(triples)
      if (!maker) makers.set(triples, (maker = objectMaker([...ownKeys, ...tripleKeys(triples)])))
      return maker(values)
    }

    /** Adds triples while one of maximum length fits, then extends the last text by the bytes that are left. */
    function fillWithTriples(document: Record<string, unknown>, room: number): Filled {
      let left = room
      let triples = 0
      let letterCount = 0
      let at = 0
      for (const name of ownKeys) values[at++] = document[name]
      for (; ; triples++) {
        const bytes = bytesOfTriple(triples + 1)
        if (bytes + maxStringLength > left) break
        letterCount = 1 + stream.below(maxStringLength)
        values[at++] = stream.below(intValues)
        values[at++] = new Date(firstDate + stream.below(dateValues))
        values[at++] = cut(letterCount)
        left -= bytes + letterCount
      }
      if (triples === 0) return fillWithText(document, room)
      values[at - 1] = cut(letterCount + left)
      return { document: make(triples), left: 0 }
    }

    function fillWithText(document: Record<string, unknown>, room: number): Filled {
      if (room < emptyTextBytes) return { document: { ...document }, left: room }
      return { document: { ...document, [textKey]: cut(room - emptyTextBytes) }, left: 0 }
    }

    const fill = style === 'triples' ? fillWithTriples : fillWithText
    const draw = (drawContext: DrawContext): unknown => {
      const before = drawContext.bytes
      const fieldsOfOwn = own.draw(drawContext) as Record<string, unknown>
      const room = target - (drawContext.bytes - before)
      // Typed fields cost more time and memory than other values of their size.
      context.spend(2 * room)
      stream.at(drawContext.n, drawContext.lane)
      const { document, left } = fill(fieldsOfOwn, room)
      drawContext.bytes += room - left
      drawContext.hash = mixIn(drawContext.hash, stream.uint32())
      return document
    }
    // Own fields that are computed as a whole may differ from row to row, and be no document at all.
    return isDocument(firstOwn) && !asExpression(fields) ? { draw, write } : draw

    /** Continues the document of the own fields in place. */
    function write(drawContext: DrawContext, out: BsonWriter): number {
      const start = out.at
      own.write(drawContext, out)
      const room = target - (out.at - start)
      out.reserve(Math.max(0, room) + wordBytes)
      stream.at(drawContext.n, drawContext.lane)
      out.at -= 1
      if (style === 'text' || !writeTriples(out, room)) writeText(out, room)
      out.endDocument(start)
      drawContext.hash = mixIn(drawContext.hash, stream.uint32())
      return bsonType.document
    }

    /** Does the same as `fillWithTriples`. @returns whether there was room for any. */
    function writeTriples(out: BsonWriter, room: number): boolean {
      const { bytes, view } = out
      let left = room
      let letterCount = 0
      let { at } = out
      for (let n = 1; ; n++) {
        const { words, length, intAt, dateAt } = templates[n - 1] ?? makeTemplate(n)
        if (length + 1 + maxStringLength > left) break
        letterCount = 1 + stream.below(maxStringLength)
        for (let i = 0; i < words.length; i++) view.setFloat64(at + i * wordBytes, words[i] as number, true)
        view.setInt32(at + intAt, stream.below(intValues), true)
        const ms = firstDate + stream.below(dateValues)
        view.setInt32(at + dateAt, ms, true)
        view.setInt32(at + dateAt + 4, Math.floor(ms / 4294967296), true)
        at += length
        view.setInt32(at - 4, letterCount + 1, true)
        copyShort(letterView, stream.below(sourceLength), view, at, letterCount)
        at += letterCount
        bytes[at++] = 0
        left -= length + 1 + letterCount
      }
      if (letterCount === 0) return false
      out.at = at - letterCount - 1
      writeLetters(out, letterCount + left)
      return true
    }

    function writeText(out: BsonWriter, room: number): void {
      if (room < emptyTextBytes) return
      const typeAt = out.beginElement(textKey)
      out.bytes[typeAt] = bsonType.string
      out.at += 4
      writeLetters(out, room - emptyTextBytes)
    }

    /** Writes the next text as `cut` draws it, its length in front of it and a zero behind it. */
    function writeLetters(out: BsonWriter, length: number): void {
      const { at } = out
      out.int32At(at - 4, length + 1)
      const from = stream.below(sourceLength)
      if (length <= maxShortText) copyShort(letterView, from, out.view, at, length)
      else copyLong(letterBytes, from, out.bytes, at, length)
      out.at = at + length
      out.byte(0)
    }
  },
})

/** See `wordBytes`. */
function copyShort(text: DataView, from: number, into: DataView, at: number, length: number): void {
  for (let i = 0; i < length; i += wordBytes) into.setFloat64(at + i, text.getFloat64(from + i, true), true)
}

/** Goes round the source as often as needed. */
function copyLong(text: Uint8Array, from: number, into: Uint8Array, at: number, length: number): void {
  let next = from
  for (let done = 0; done < length; next = 0) {
    const piece = text.subarray(next, Math.min(sourceLength, next + length - done))
    into.set(piece, at + done)
    done += piece.length
  }
}
