import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openContent } from '../../../../src/run/data/files/content.ts'
import { readJsonLines } from '../../../../src/run/data/files/json.ts'
import { fileBatches } from '../../../../src/run/data/load.ts'
import { useFreshFolder } from '../../../fakes/temporary-folder.ts'
import { documentsOfBatches } from '../documents-of-batches.ts'

const folder = useFreshFolder()

const longest = 100_000

async function documentsOf(content: string | Buffer, { name = 'orders.ndjson', most = 0 } = {}) {
  const file = folder(name)
  await writeFile(file, content)
  const batches = await documentsOfBatches(
    fileBatches(readJsonLines(name, openContent(file, 1, name.endsWith('.gz')), longest), most),
  )
  return batches.flat()
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
  const broken = documentsOf('{"a":1}\n', { name: 'plain.gz' })
  await expect(broken).rejects.toSay('file-not-compressed', { file: 'plain.gz' })
})

test('what unpacks to much more than it is is refused while it is read', async () => {
  const file = folder('blanks.gz')
  const packed = gzipSync(Buffer.alloc(3_000_000, '\n'))
  await writeFile(file, packed)
  const unpack = async (freeBytes?: number) => {
    let bytes = 0
    for await (const chunk of openContent(file, packed.length, true, freeBytes).chunks) bytes += chunk.length
    return bytes
  }
  expect(await unpack()).toBe(3_000_000)
  await expect(unpack(1_000_000)).rejects.toSay('file-unpacks-to-much')
})

test('only the first documents are read when only they are wanted: what follows may be broken', async () => {
  expect(await documentsOf('{"a":1}\n\n{"a":2}\nnonsense', { most: 2 })).toEqual([{ a: 1 }, { a: 2 }])
})

test('a broken line is told by its number', async () => {
  await expect(documentsOf('{"a":1}\n\n{"a":}\n{"a":3}\n')).rejects.toSay('line-not-json', { place: 'orders.ndjson:3' })
})

test('bytes that are no text are told by their line', async () => {
  const utf16 = Buffer.from('\uFEFF{"a":1}\n', 'utf16le')
  await expect(documentsOf(utf16)).rejects.toSay('line-not-utf8', { place: 'orders.ndjson:1' })
})

test('a line that is too long is refused before it is kept', async () => {
  const line = `{"a":"${'x'.repeat(5 * longest)}"}`
  await expect(documentsOf(`{"a":1}\n${line}\n`)).rejects.toSay('line-too-long', { place: 'orders.ndjson:2' })
  await expect(documentsOf(line)).rejects.toSay('line-too-long', { place: 'orders.ndjson:1' })
})
