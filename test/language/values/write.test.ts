import { readdirSync, readFileSync } from 'node:fs'
import { serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { isObject, type Json } from '../../../src/core/json.ts'
import { generators } from '../../../src/language/generators/index.ts'
import { InvalidPart, TooLarge } from '../../../src/language/issues.ts'
import { forAll } from '../../fakes/for-all.ts'
import { documents } from '../../fakes/random-documents.ts'

const rows = [0, 1, 2, 7, 999, 2 ** 24 + 5, 2 ** 33]
const lanes = [0, 1, 77]

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

type Place = readonly [n: number, lane: number]

/** Compiled on its own, as what draws and what writes would take from the same counters. */
function drawnAt(node: Json, places: readonly Place[]): readonly string[] {
  const { at } = compileJson(node)
  return places.map(([n, lane]) => {
    const { value, hash } = at(n, lane)
    return `${hash} ${hex(serialize({ value }, { ignoreUndefined: false }))}`
  })
}

function writtenAt(node: Json, places: readonly Place[]): readonly string[] {
  const { written } = compileJson(node)
  return places.map(([n, lane]) => {
    const { bytes, hash } = written(n, lane)
    return `${hash} ${hex(bytes)}`
  })
}

/** What is made, or why a function in it has no result. */
function orReason(make: () => readonly string[]): readonly string[] | string {
  try {
    return make()
  } catch (error) {
    if (error instanceof InvalidPart) return error.message
    // What is known is refused when it is folded.
    if (error instanceof Error && error.message.includes('has no result for')) return 'refused'
    throw error
  }
}

const everywhere = rows.flatMap((n) => lanes.map((lane): Place => [n, lane]))

describe('what is written is what is drawn, in BSON, with the same hash', () => {
  test.each(generators.map(({ keyword, example }) => [keyword, example] as const))('%s', (keyword, example) =>
    expect(writtenAt({ [keyword]: example }, everywhere)).toEqual(drawnAt({ [keyword]: example }, everywhere)),
  )

  test.each<[string, Json]>([
    ['a long beyond 2^53', { '@long': {} }],
    ['a long of a small span beyond 2^53', { '@long': { min: { $numberLong: '9223372036854775000' } } }],
    ['negative longs', { '@long': { min: -5_000_000_000, max: -4_000_000_000 } }],
    ['dates before 1970', { '@date': { min: '1900-01-01T00:00:00Z', max: '1980-01-01T00:00:00Z' } }],
    ['binary of many sizes', { '@binary': { size: { min: 0, max: 70 } } }],
    ['texts of many lengths', { '@string': { length: { min: 0, max: 2100 } } }],
    ['texts of other letters', { '@string': { length: { min: 0, max: 90 }, alphabet: 'aé🙂' } }],
    ['large decimals', { '@decimal': { min: '-9999999999999999999999', max: '9999999999999999999999', digits: 4 } }],
    ['a choice among documents', { '@choice': { values: [{ a: 1 }, { a: { '@int': {} } }, [1, { '@date': {} }]] } }],
    [
      'a list of lists',
      { '@array': { size: { min: 0, max: 120 }, of: { '@array': { size: 2, of: { '@int': {} } } } } },
    ],
    ['a list of different values', { '@array': { size: 5, of: { '@int': { max: 9 } }, distinct: true } }],
    ['picked documents', { '@pickValue': { of: { a: { '@uuid': {} } }, count: 5 } }],
    ['a list of picked texts', { '@array': { size: 3, of: { '@pickValue': { of: { '@string': {} }, count: 5 } } } }],
    ['a list that is written out', [1, { '@int': {} }, 'two', [{ '@date': {} }], {}]],
    ['constants around what is drawn', { a: 1, b: 'x', c: { '@int': {} }, d: [], e: { '@objectId': {} }, f: null }],
    ['a mapped list', { '@map': { input: [1, 2, 3], as: 'x', in: { x: { '@var': 'x' }, y: { '@date': {} } } } }],
    ['a mapped null', { '@map': { input: { '@choice': { values: [null] } }, as: 'x', in: 1 } }],
    ['a condition', { '@cond': [{ '@gt': [{ '@int': { max: 9 } }, 4] }, { '@date': {} }, { a: { '@uuid': {} } }] }],
    ['many fields', Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`é${i}`, { '@long': { max: i } }]))],
  ])('%s', (_, node) => expect(writtenAt(node, everywhere)).toEqual(drawnAt(node, everywhere)))

  const fields = { _id: { '@row': {} }, note: { '@string': { length: { min: 0, max: 50 } } }, constant: 'é' }
  test.each<[string, Json]>([
    ...['triples', 'text'].flatMap((style) =>
      [0.0625, 0.09, 0.15, 0.25, 1, 4, 300, 1500, 3000].map((sizeKB): [string, Json] => [
        `${sizeKB} KB of ${style}`,
        { sizeKB, style },
      ]),
    ),
    ['own fields', { sizeKB: 1, fields }],
    ['own fields and a text', { sizeKB: 1, style: 'text', fields }],
    ['own fields that leave little room', { sizeKB: 0.12, fields }],
    ['own fields that leave little room for a text', { sizeKB: 0.08, style: 'text', fields }],
    ['own fields that are computed', { sizeKB: 1, fields: { '@arrayToObject': [['a', { '@int': {} }]] } }],
  ])('@filler: %s', (_, argument) => {
    const isLarge = /"sizeKB":\d{3}/.test(JSON.stringify(argument))
    const places = Array.from({ length: isLarge ? 1 : 300 }, (_item, n): Place => [n, n % 3])
    const node = { '@filler': argument }
    expect(writtenAt(node, places)).toEqual(drawnAt(node, places))
  })

  test('random documents', () =>
    forAll(documents, (document) => {
      const made = (by: typeof drawnAt) => orReason(() => by(document, everywhere))
      expect(made(writtenAt)).toEqual(made(drawnAt))
    }))

  test.each(specDocuments())('the documents of %s', (_, document) =>
    expect(writtenAt(document, everywhere)).toEqual(drawnAt(document, everywhere)),
  )
})

/** The documents of all data sets in the specs that come with the program, where no parameter and no variable makes a part of them. */
function specDocuments(): readonly (readonly [string, Json])[] {
  const folder = new URL('../../../fixtures/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(specs|examples)\/.*\.json$/.test(file),
  )
  return files.flatMap((file) => {
    const spec = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { readonly [key: string]: Json }
    return [spec['data'] ?? []].flat().flatMap((data, i) => {
      const document = isObject(data as Json) ? (data as { readonly [key: string]: Json })['document'] : undefined
      return document === undefined || /@param|@var/.test(JSON.stringify(document))
        ? []
        : [[`${file}, ${i}`, document] as const]
    })
  })
}

describe('what is larger than a document may be is refused while it is written', () => {
  const megabyte = { '@string': { length: 1_000_000 } }
  test.each<[string, Json]>([
    ['a list', { '@array': { size: 100_000, of: megabyte } }],
    ['a document', Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, megabyte]))],
    ['a written list', Array.from({ length: 20 }, () => megabyte)],
    ['a mapped list', { '@map': { input: Array.from({ length: 20 }, () => 1), as: 'x', in: megabyte } }],
  ])('%s', (_, node) => expect(() => compileJson(node).written(0)).toThrow(TooLarge))
})
