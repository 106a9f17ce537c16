import { calculateObjectSize, serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'

type Document = Readonly<Record<string, unknown>>

const filler = (argument: Json) => compileJson({ '@filler': argument })
const documentOf = (argument: Json, row = 0): Document => filler(argument).draw(row) as Document

describe.each(['triples', 'text'])('style %s', (style) => {
  test.each([0.25, 1, 4, 32, 256, 2048])('a document of %d KB has exactly that size in BSON', (sizeKB) => {
    const { at } = filler({ sizeKB, style })
    for (const row of sizeKB < 256 ? [0, 1, 2, 99_999] : [7]) {
      const { value, bytes } = at(row)
      expect(serialize(value as Document)).toHaveLength(sizeKB * 1024)
      expect(bytes).toBe(sizeKB * 1024)
    }
  })

  test('own fields stand in front, and count', () => {
    const fields = {
      _id: { '@row': {} },
      count: { '@literal': 0 },
      note: { '@string': { length: { min: 0, max: 50 } } },
    }
    for (const row of [0, 1, 2, 3]) {
      const document = documentOf({ sizeKB: 1, style, fields }, row)
      expect(Object.keys(document).slice(0, 3)).toEqual(['_id', 'count', 'note'])
      expect(document['_id']).toBe(row)
      expect(calculateObjectSize(document)).toBe(1024)
    }
  })

  test('own fields that are larger than the document are refused', () => {
    const fields = { large: 'x'.repeat(300) }
    expect(() => filler({ sizeKB: 0.25, style, fields })).toSay('filler-fields-too-large')
  })

  test('every row has a document of its own, the same whenever it is made', () => {
    const { draw } = filler({ sizeKB: 1, style, fields: { constant: 1 } })
    const [first, second] = [draw(0), draw(1)]
    expect(first).not.toBe(second)
    expect(first).not.toEqual(second)
    expect(draw(0)).toEqual(first)
    expect(documentOf({ sizeKB: 1, style, fields: { constant: 1 } }, 1)).toEqual(second)
  })
})

describe('triples', () => {
  const documents = filler({ sizeKB: 4 }).first(50) as Document[]
  const fieldsOf = (name: string): unknown[] =>
    documents.flatMap((document) =>
      Object.entries(document).flatMap(([key, value]) => (key.startsWith(name) ? [value] : [])),
    )

  test('are fields of three types, numbered from 1', () => {
    const names = Object.keys(documents[0] ?? {})
    expect(names.slice(0, 6).join(' ')).toBe('intfield1 datefield1 stringfield1 intfield2 datefield2 stringfield2')
    expect(names.length % 3).toBe(0)
    expect(names.length / 3).toBeGreaterThan(50)
  })

  test('hold int32 from 0 to 99,999', () => {
    const ints = fieldsOf('int') as number[]
    expect(ints.every((value) => Number.isInteger(value) && value >= 0 && value <= 99_999)).toBe(true)
    expect(Math.max(...ints)).toBeGreaterThan(99_000)
  })

  test('hold dates of a window of ten thousand million milliseconds', () => {
    const times = (fieldsOf('date') as Date[]).map((date) => date.getTime())
    expect(Math.min(...times)).toBeGreaterThanOrEqual(Date.UTC(2024, 0, 1))
    expect(Math.max(...times)).toBeLessThan(Date.UTC(2024, 0, 1) + 1e10)
  })

  test('hold 1 to 32 letters of English-like text, more in the last one', () => {
    for (const document of documents) {
      const texts = Object.entries(document).flatMap(([key, value]) =>
        key.startsWith('string') ? [value as string] : [],
      )
      for (const text of texts) expect(text).toMatch(/^[a-z ]+$/)
      expect(texts.slice(0, -1).every(({ length }) => length >= 1 && length <= 32)).toBe(true)
    }
    const lengths = new Set((fieldsOf('string') as string[]).map(({ length }) => length))
    expect([1, 32].every((length) => lengths.has(length))).toBe(true)
  })
})

test('a document too small for a triple is filled with text', () => {
  expect(Object.keys(documentOf({ sizeKB: 0.0625 }))).toEqual(['text'])
  expect(calculateObjectSize(documentOf({ sizeKB: 0.0625 }))).toBe(64)
})

test('a text longer than the source of letters has its size too', () =>
  expect(calculateObjectSize(documentOf({ sizeKB: 3000, style: 'text' }))).toBe(3000 * 1024))

test.each<[string, Json]>([
  ['intfield1', { sizeKB: 1, fields: { intfield1: 5 } }],
  ['text', { sizeKB: 1, style: 'text', fields: { text: 'mine' } }],
])('an own field may not be called %s, which would be written over', (name, argument) =>
  expect(() => filler(argument)).toSay('filler-field-name', { name }),
)

test('an own field may have the name that the other style uses', () =>
  expect(documentOf({ sizeKB: 1, style: 'text', fields: { intfield1: 5 } })).toHaveProperty('intfield1', 5))
