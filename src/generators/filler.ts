import { z } from 'zod'
import { type Json, type JsonObject } from '../json.ts'
import { mixIn, placeKey, Stream } from '../random.ts'
import { value } from '../spec/value-place.ts'
import { newMoment } from '../values/moment.ts'
import { keyBytes } from '../values/size.ts'
import { defineGenerator } from './generator.ts'

/** Letters in the frequency of English, spaces among them (Lewand, Cryptological Mathematics, 2000): what compression meets in real text. */
const frequencies = 'e12 t9 a8 o8 i7 n7 s6 h6 r6 d4 l4 u3 c3 m2 w2 f2 g2 y2 p2 b1 v1 k1 18'

const letters = frequencies
  .split(' ')
  .map((entry) => (/^\d/.test(entry) ? ' '.repeat(Number(entry)) : entry.charAt(0).repeat(Number(entry.slice(1)))))
  .join('')

/** 1 MiB of such text, the same in every run; strings are cut from it, which costs no copying. */
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
/** `datefieldN` lies in a window of ten thousand million milliseconds. */
const firstDate = Date.UTC(2024, 0, 1)
const dateValues = 10_000_000_000
const longestString = 32

type Names = { readonly int: string; readonly date: string; readonly string: string; readonly bytes: number }

/** Field names of the triples with the bytes that a triple takes besides its text; made once, used by every document. */
const names: Names[] = []

function namesOf(triple: number): Names {
  for (let n = names.length + 1; n <= triple; n++) {
    const [int, date, string] = [`intfield${n}`, `datefield${n}`, `stringfield${n}`]
    names.push({ int, date, string, bytes: keyBytes(int) + 4 + keyBytes(date) + 8 + keyBytes(string) + 5 })
  }
  return names[triple - 1] as Names
}

const textKey = 'text'
/** An empty string field of that name. */
const emptyTextBytes = keyBytes(textKey) + 5

const isFillerName = (name: string, style: 'triples' | 'text'): boolean =>
  name === textKey || (style === 'triples' && /^(int|date|string)field\d+$/.test(name))

export const filler = defineGenerator({
  word: '@filler',
  summary: 'A document of a wanted BSON size: own fields first, then typed fields until the size is reached.',
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
  countsBytes: true,
  compile({ sizeKB, fields, style }, context) {
    const target = Math.round(sizeKB * 1024)
    const own = context.value(fields as JsonObject as Json, 'fields')
    const trial = newMoment()
    const clash = Object.keys(own(trial) ?? {}).find((name) => isFillerName(name, style))
    if (clash !== undefined) context.report(`"${clash}" is the name of a field that fills; give your own another`)
    if (trial.bytes > target)
      context.report(`the own fields take ${trial.bytes} bytes, more than the ${target} of the whole document`)
    const stream = context.stream()
    const text = textSource()
    const cut = (length: number): string => {
      const start = stream.below(sourceLength)
      if (start + length <= sourceLength) return text.slice(start, start + length)
      return (text.slice(start) + text.repeat(Math.ceil(length / sourceLength))).slice(0, length)
    }

    /** Adds triples while one of the longest kind fits, then lengthens the last text by what is left. */
    function addTriples(document: Record<string, unknown>, room: number): number {
      let left = room
      let last = ''
      for (let triple = 1; ; triple++) {
        const { int, date, string, bytes } = namesOf(triple)
        if (bytes + longestString > left) break
        const letterCount = 1 + stream.below(longestString)
        document[int] = stream.below(intValues)
        document[date] = new Date(firstDate + stream.below(dateValues))
        document[string] = cut(letterCount)
        left -= bytes + letterCount
        last = string
      }
      if (last === '') return addText(document, left)
      document[last] = cut((document[last] as string).length + left)
      return 0
    }

    function addText(document: Record<string, unknown>, room: number): number {
      if (room < emptyTextBytes) return room
      document[textKey] = cut(room - emptyTextBytes)
      return 0
    }

    const fill = style === 'triples' ? addTriples : addText
    return (moment) => {
      const before = moment.bytes
      // Constant fields are one object for all rows, and this one is written to.
      const document = { ...(own(moment) as Record<string, unknown>) }
      const room = target - (moment.bytes - before)
      stream.at(moment.n, moment.lane)
      moment.bytes += room - fill(document, room)
      moment.hash = mixIn(moment.hash, stream.uint32())
      return document
    }
  },
})
