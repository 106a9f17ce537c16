import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { fileBatches } from '../../../src/run/data/load.ts'
import { readLines } from '../../../src/run/data/read-lines.ts'
import { documentsOfBatches } from './documents-of-batches.ts'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-lines-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

const longest = 100_000

async function documentsOf(
  content: string | Buffer,
  { name = 'orders.ndjson', most = 0 } = {},
): Promise<readonly object[]> {
  const file = path.join(folder, name)
  await writeFile(file, content)
  const batches = await documentsOfBatches(fileBatches(name, readLines(file, 1, longest), most))
  return batches.flat()
}

async function problemOf(content: string | Buffer, name?: string): Promise<Problem> {
  const error: unknown = await documentsOf(content, name === undefined ? {} : { name }).catch(
    (thrown: unknown) => thrown,
  )
  if (error instanceof Problem) return error
  throw new Error('No problem', { cause: error })
}

test('every line is a document, whatever ends it', async () => {
  expect(await documentsOf('{"a":1}\n{"a":2}\n')).toEqual([{ a: 1 }, { a: 2 }])
  expect(await documentsOf('{"a":1}\n{"a":2}')).toEqual([{ a: 1 }, { a: 2 }])
  expect(await documentsOf('\uFEFF{"a":1}\r\n\r\n  \r\n{"a":2}\r\n')).toEqual([{ a: 1 }, { a: 2 }])
  expect(await documentsOf('')).toEqual([])
})

test('characters that end lines elsewhere are part of a text', async () => {
  expect(await documentsOf('{"a":"x\u2028y\u0085z"}\n{"a":2}\n')).toEqual([{ a: 'x\u2028y\u0085z' }, { a: 2 }])
})

test('lines may lie across the pieces in which a file is read', async () => {
  const lines = Array.from({ length: 20_000 }, (_, a) => JSON.stringify({ a, text: 'ü'.repeat(a % 50) }))
  const documents = await documentsOf(lines.join('\n'))
  expect(documents.map((document) => JSON.stringify(document))).toEqual(lines)
})

test('a compressed file is read like any other', async () => {
  expect(await documentsOf(gzipSync('{"a":1}\n{"a":2}\n'), { name: 'orders.ndjson.gz' })).toEqual([{ a: 1 }, { a: 2 }])
  const broken = await problemOf('{"a":1}\n', 'plain.gz')
  expect(broken.message).toContain('plain.gz cannot be read: incorrect header check')
})

test('only the first documents are read when only they are wanted: what follows may be broken', async () => {
  expect(await documentsOf('{"a":1}\n\n{"a":2}\nnonsense', { most: 2 })).toEqual([{ a: 1 }, { a: 2 }])
})

test('a broken line is told by its number', async () => {
  const { code, message, hint } = await problemOf('{"a":1}\n\n{"a":}\n{"a":3}\n')
  expect(code).toBe('spec-invalid')
  expect(message).toMatch(/^orders\.ndjson:3: the line is not JSON: /)
  expect(hint).toContain('one document of Extended JSON per line')
})

test('bytes that are no text are told by their line', async () => {
  const utf16 = Buffer.from('\uFEFF{"a":1}\n', 'utf16le')
  expect((await problemOf(utf16)).message).toBe('orders.ndjson:1: the line is not UTF-8')
})

test('a line that is too long is refused before it is kept', async () => {
  const line = `{"a":"${'x'.repeat(5 * longest)}"}`
  expect((await problemOf(`{"a":1}\n${line}\n`)).message).toMatch(/^orders\.ndjson:2: the line is longer than /)
  expect((await problemOf(line)).message).toMatch(/^orders\.ndjson:1: the line is longer than /)
})
