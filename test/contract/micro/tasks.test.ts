import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Document, GridFSBucket } from 'mongodb'
import { beforeEach, expect, test } from 'vitest'
import { dropCollections } from '../../../src/micro/collections.ts'
import { givenData } from '../../../src/micro/data/given-data.ts'
import { type Work } from '../../../src/micro/task.ts'
import { microTasks } from '../../../src/micro/tasks.ts'
import { fail } from '../../fakes/fail.ts'
import { useFreshFolder } from '../../fakes/temporary-folder.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()
const inFolder = useFreshFolder()
beforeEach(() => dropCollections(server.client.db('mongoperf_micro')))

/** Sets a task up with the files in our folder. */
async function prepare(name: string): Promise<Work> {
  const task = microTasks.find((one) => one.name === name)
  if (task?.on !== 'server') return fail(`No task "${name}" on a server`)
  return task.prepare({
    data: givenData(inFolder()),
    client: server.client,
    db: server.client.db('mongoperf_micro'),
    workFolder: inFolder(),
  })
}

async function iterateTwice({ beforeEach: reset, iterate }: Work): Promise<void> {
  for (let i = 0; i < 2; i++) {
    await reset?.()
    await iterate()
  }
}

const stored = (): Promise<Document[]> =>
  server.client
    .db('mongoperf_micro')
    .collection('corpus')
    .find({}, { projection: { _id: 0 } })
    .toArray()

async function writeFiles(name: string, contents: readonly (string | Buffer)[]): Promise<void> {
  await mkdir(inFolder(name))
  for (const [i, content] of contents.entries()) await writeFile(inFolder(name, `file${i}`), content)
}

/** 20 files, more than are handled at a time, of three documents. */
const documents = Array.from({ length: 60 }, (_, n) => ({ n, text: `document ${n}` }))
const lineFiles = Array.from({ length: 20 }, (_, file) =>
  documents
    .slice(3 * file, 3 * file + 3)
    .map((document) => `${JSON.stringify(document)}\n`)
    .join(''),
)
const byNumber = (one: Document, other: Document): number => one['n'] - other['n']

test.each([
  ['small-doc-insert-one', 'small_doc.json', 10_000],
  ['large-doc-insert-one', 'large_doc.json', 10],
  ['small-doc-bulk-insert', 'small_doc.json', 10_000],
  ['large-doc-bulk-insert', 'large_doc.json', 10],
  ['small-doc-collection-bulk-write', 'small_doc.json', 10_000],
  ['large-doc-collection-bulk-write', 'large_doc.json', 10],
])('%s inserts the document of %s %i times in each iteration', async (name, file, times) => {
  const document = { a: 'b', c: 5 }
  await writeFile(inFolder(file), JSON.stringify(document))
  const work = await prepare(name)
  expect(work.bytes).toBe(JSON.stringify(document).length * times)
  await iterateTwice(work)
  const inserted = await stored()
  expect(inserted).toHaveLength(times)
  expect(inserted.every((one) => JSON.stringify(one) === JSON.stringify(document))).toBe(true)
})

test('all lines of all files are imported', async () => {
  await writeFiles('ldjson_multi', lineFiles)
  const work = await prepare('ldjson-multi-import')
  expect(work.bytes).toBe(lineFiles.join('').length)
  await iterateTwice(work)
  expect((await stored()).toSorted(byNumber)).toEqual(documents)
})

test('all documents are exported', async () => {
  await writeFiles('ldjson_multi', lineFiles)
  await iterateTwice(await prepare('ldjson-multi-export'))
  const exported = inFolder('ldjson_export')
  const texts = await Promise.all((await readdir(exported)).map((file) => readFile(path.join(exported, file), 'utf8')))
  expect(texts).toHaveLength(lineFiles.length)
  const lines = texts.flatMap((text) => text.trimEnd().split('\n'))
  expect(lines.map((line): Document => JSON.parse(line)).toSorted(byNumber)).toMatchObject(documents)
})

test('files are uploaded to and downloaded from a bucket whole', async () => {
  const contents = Array.from({ length: 12 }, (_, n) => Buffer.alloc(300_000, n))
  await writeFiles('gridfs_multi', contents)
  await writeFile(inFolder('gridfs_large.bin'), Buffer.alloc(700_000, 'x'))
  const bucket = new GridFSBucket(server.client.db('mongoperf_micro'))
  const sizes = async (): Promise<readonly number[]> =>
    (await bucket.find().toArray()).map(({ length }) => length).toSorted((one, other) => one - other)

  await iterateTwice(await prepare('gridfs-upload'))
  expect(await sizes()).toEqual([1, 700_000])

  const work = await prepare('gridfs-multi-upload')
  expect(work.bytes).toBe(12 * 300_000)
  await iterateTwice(work)
  expect(await sizes()).toEqual([1, ...contents.map(({ length }) => length)])

  await iterateTwice(await prepare('gridfs-multi-download'))
  const downloaded = inFolder('gridfs_download')
  expect(await readdir(downloaded)).toHaveLength(12)
  for (const [i, content] of contents.entries()) {
    expect((await readFile(path.join(downloaded, `file${i}`))).equals(content)).toBe(true)
  }
})
