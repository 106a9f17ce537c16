import { z } from 'zod'
import { mixIn, placeKey, Stream } from '../random.ts'
import { value } from '../language/value-place.ts'
import { createDrawContext } from '../values/draw-context.ts'
import { objectMaker } from '../values/make-object.ts'
import { keyBytes } from '../values/size.ts'
import { defineGenerator } from './generator.ts'

/** Letters in the frequency of English, spaces among them (Lewand, Cryptological Mathematics, 2000): what compression meets in real text. */
const frequencies = 'e12 t9 a8 o8 i7 n7 s6 h6 r6 d4 l4 u3 c3 m2 w2 f2 g2 y2 p2 b1 v1 k1 18'

const letters = frequencies
  .split(' ')
  .map((entry) => (/^\d/.test(entry) ? ' '.repeat(Number(entry)) : entry.charAt(0).repeat(Number(entry.slice(1)))))
  .join('')

/** 1 MiB of such text, the same in every run. Strings are slices of it, which are not copied. */
const sourceLength = 2 ** 20
let source: string | undefined

function textSource(): string {
  if (source === undefined) {
    const stream = new Stream(placeKey(1, 'filler text')).at(0)
    const bytes = Buffer.allocUnsafe(sourceLength)
    for (let i = 0; i < sourceLength; i++) bytes[i] = letters.charCodeAt(stream.below(letters.length))
    source = bytes.toString('latin1')
  }
  return source
}

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

/** BSON bytes of each triple without its text, from triple 1 on; shared by all documents. */
const tripleBytes: number[] = []

function bytesOfTriple(n: number): number {
  for (let next = tripleBytes.length + 1; next <= n; next++) {
    const [int, date, string] = keysOfTriple(next)
    tripleBytes.push(keyBytes(int) + 4 + keyBytes(date) + 8 + keyBytes(string) + 5)
  }
  return tripleBytes[n - 1] ?? 0
}

const textKey = 'text'
/** BSON bytes of an empty string field of that name. */
const emptyTextBytes = keyBytes(textKey) + 5

const isFillerName = (name: string, style: 'triples' | 'text'): boolean =>
  name === textKey || (style === 'triples' && /^(int|date|string)field\d+$/.test(name))

/** The generator `@filler`. */
export const filler = defineGenerator({
  keyword: '@filler',
  summary: 'A document of a given BSON size: own fields first, then typed fields until the size is reached.',
  args: z.strictObject({
    sizeKB: z
      .number()
      .positive()
      .max(16 * 1024)
      .describe('BSON size of the whole document in KB of 1024 bytes, own fields included.'),
    fields: z
      .record(z.string(), value)
      .default({})
      .describe('Own fields, in front of the others; may hold expressions.'),
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
    const ownKeys = Object.keys(own(trial) ?? {})
    const clash = ownKeys.find((name) => isFillerName(name, style))
    if (clash !== undefined)
      context.report(`"${clash}" is the name of a generated field; give your own field another name`)
    if (trial.bytes > target)
      context.report(`the own fields take ${trial.bytes} bytes, more than the ${target} of the whole document`)
    const stream = context.stream()
    const text = textSource()
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
    return (drawContext) => {
      const before = drawContext.bytes
      const fieldsOfOwn = own(drawContext) as Record<string, unknown>
      const room = target - (drawContext.bytes - before)
      // Typed fields cost more time and memory than other values of their size.
      context.spend(2 * room)
      stream.at(drawContext.n, drawContext.lane)
      const { document, left } = fill(fieldsOfOwn, room)
      drawContext.bytes += room - left
      drawContext.hash = mixIn(drawContext.hash, stream.uint32())
      return document
    }
  },
})
