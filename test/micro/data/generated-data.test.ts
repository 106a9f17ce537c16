import { EJSON, serialize } from 'bson'
import { expect, test, vi } from 'vitest'
import { placeKey } from '../../../src/core/random.ts'
import { type DocumentName, documentNames } from '../../../src/micro/data/data-source.ts'
import {
  binaryFiles,
  bytesPerBinaryFile,
  bytesPerLine,
  generatedData,
  lineFileContents,
  lineFiles,
  linesPerFile,
  randomBytes,
} from '../../../src/micro/data/generated-data.ts'
import { readDocument } from '../../../src/micro/document-work.ts'

// The large document takes a second to make and another to read, on a busy machine several.
vi.setConfig({ testTimeout: 60_000 })

const data = generatedData('unused')
const parse = async (name: DocumentName): Promise<Record<string, unknown>> =>
  EJSON.parse(await data.text(name), { relaxed: false })

/** How often each type stands at the top level. */
function typesIn(document: object): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of Object.values(document)) {
    const type = Object(value).constructor.name
    counts[type] = (counts[type] ?? 0) + 1
  }
  return counts
}

test.each([
  ['flat_bson.json', 7_531],
  ['deep_bson.json', 1_964],
  ['full_bson.json', 5_734],
  ['tweet.json', 1_622],
  ['small_doc.json', 275],
  ['large_doc.json', 2_731_089],
] as const)('%s has the %i bytes of the specification', async (name, bytes) => {
  const text = await data.text(name)
  expect(Buffer.byteLength(text)).toBe(bytes)
  expect((await readDocument(data, name)).bytes).toBe(bytes)
})

test.each(documentNames)('%s is the same in every run, and the same as BSON once it is read', async (name) => {
  expect(await data.text(name)).toBe(await generatedData('elsewhere').text(name))
  const { document } = await readDocument(data, name)
  expect(Buffer.from(serialize(document)).equals(serialize(await parse(name)))).toBe(true)
})

test('the flat document has 24 values of each common type, and strings twice', async () => {
  const flat = await parse('flat_bson.json')
  expect(typesIn(flat)).toEqual({ ObjectId: 1, String: 48, Int32: 24, Long: 24, Double: 24, Boolean: 24 })
  const strings = Object.values(flat).filter((value) => typeof value === 'string')
  expect(new Set(strings.map(({ length }) => length))).toEqual(new Set([80]))
  expect(new Set(Object.keys(flat).map(({ length }) => length))).toEqual(new Set(['_id'.length, 8]))
})

test('the deep document is a binary tree of depth 6 with texts of 8 characters', async () => {
  const pairsAndDepth = (value: unknown): readonly [pairs: number, depth: number] => {
    if (typeof value === 'string') return [0, value.length === 8 ? 0 : Number.NaN]
    expect(Object.keys(value as object)).toEqual(['left', 'right'])
    const below = Object.values(value as object).map(pairsAndDepth)
    return [2 + below.reduce((sum, [pairs]) => sum + pairs, 0), 1 + Math.max(...below.map(([, depth]) => depth))]
  }
  expect(pairsAndDepth(await parse('deep_bson.json'))).toEqual([126, 6])
})

test('the full document has 6 values of each type, and strings twice', async () => {
  const full = await parse('full_bson.json')
  const types = typesIn(full)
  expect(Object.keys(full)).toHaveLength(91)
  const six = ['Double', 'Long', 'Int32', 'Boolean', 'MinKey', 'MaxKey', 'Array', 'Binary', 'Date', 'BSONRegExp']
  expect(types).toEqual({
    ObjectId: 1,
    String: 12,
    Timestamp: 6,
    // With and without a scope.
    Code: 12,
    ...Object.fromEntries(six.map((type) => [type, 6])),
  })
})

test('the small document takes 250 bytes as BSON and the large one about 2.5 million', async () => {
  expect(serialize(await parse('small_doc.json'))).toHaveLength(250)
  const large = serialize(await parse('large_doc.json')).length
  expect(Math.abs(large - 2_500_000)).toBeLessThan(1_000)
})

test('the lines make 565 MB in 100 files of 5000 documents', () => {
  expect(lineFiles * linesPerFile * bytesPerLine).toBe(565_000_000)
  const [first, second] = lineFileContents(placeKey(1, 'ldjson_multi'))
  const lines = String(first).split('\n')
  expect(lines.pop()).toBe('')
  expect(lines).toHaveLength(5_000)
  expect(new Set(lines.map(({ length }) => length + 1))).toEqual(new Set([1_130]))
  const [one, other] = lines.map((line) => JSON.parse(line) as object)
  expect(Object.keys(one ?? {})).toEqual(Object.keys(other ?? {}))
  expect(one).not.toEqual(other)
  expect(first?.equals(second ?? Buffer.alloc(0))).toBe(false)
})

test('binary files have their sizes, and each its own bytes', async () => {
  expect(await data.bytes('gridfs_large.bin')).toHaveLength(52_428_800)
  expect(binaryFiles * bytesPerBinaryFile).toBe(262_144_000)
  const key = placeKey(1, 'gridfs_multi')
  expect(randomBytes(key, 0, 1_000).equals(randomBytes(key, 0, 1_000))).toBe(true)
  expect(randomBytes(key, 0, 1_000).equals(randomBytes(key, 1, 1_000))).toBe(false)
})
