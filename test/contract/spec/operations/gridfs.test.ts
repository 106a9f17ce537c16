import { createHash } from 'node:crypto'
import { type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GridFSBucket, type GridFSFile } from 'mongodb'
import { expect, test } from 'vitest'
import { run, type SpecInput } from '../../../../src/entries/index.ts'
import { type PhaseResult } from '../../../../src/results/schema.ts'
import { sharedServer } from '../../support/shared-servers.ts'

const server = sharedServer()

const databaseOf = (name: string) => server.client.db(`mongoperf_${name.replaceAll('-', '_')}`)

async function phasesOf(name: string, phases: readonly object[]): Promise<readonly PhaseResult[]> {
  const spec = { name, data: { collection: 'names' }, phases }
  const { variants } = await run(spec as unknown as SpecInput, { uri: server.uri })
  return variants.flatMap((variant) => variant.phases)
}

const numbered = (row: object) => ({ '@concat': ['file-', { '@toString': row }] })

const upload = (parts: object = {}) => ({
  kind: 'gridfsUpload',
  filename: numbered({ '@nextRow': {} }),
  sizeKB: 300.5,
  ...parts,
})

const store = (parts: object = {}, phase: object = {}) => ({
  name: 'store',
  load: { kind: 'closed', workers: 4 },
  stopAfter: { operations: 20 },
  operations: [upload(parts)],
  ...phase,
})

const read = (parts: object, operations = 1, name = 'read') => ({
  name,
  stopAfter: { operations },
  operations: [{ kind: 'gridfsDownload', ...parts }],
})

/** Files by their name, with the MD5 of what a plain download gives. */
async function filesOf(name: string, bucketName = 'fs') {
  const bucket = new GridFSBucket(databaseOf(name), { bucketName })
  const files = await bucket.find({}, { sort: { filename: 1 } }).toArray()
  return Promise.all(files.map(async (file) => ({ file, md5: await md5(bucket.openDownloadStream(file['_id'])) })))
}

function shape({ file, md5: digest }: { readonly file: GridFSFile; readonly md5: string }) {
  const { filename, length, chunkSize, metadata } = file
  return { filename, length, chunkSize, metadata, digest }
}

async function md5(stream: Readable): Promise<string> {
  const hash = createHash('md5')
  await pipeline(stream, hash)
  return hash.digest('hex')
}

test('files that a spec stores are those that the driver stores by hand', async () => {
  const [phase] = await phasesOf('by-spec', [store({ chunkSizeBytes: 100_000 })])
  expect(phase?.operations[0]).toMatchObject({ ok: 20, failed: 0, documents: 20, inserted: 20, bytes: 20 * 307_712 })
  const stored = await filesOf('by-spec')
  expect(stored.map(({ file }) => file.filename).toSorted()).toEqual(
    Array.from({ length: 20 }, (_, i) => `file-${i}`).toSorted(),
  )

  const byHand = new GridFSBucket(databaseOf('by-hand'), { bucketName: 'fs' })
  const source = new GridFSBucket(databaseOf('by-spec'))
  for (const { file } of stored) {
    const to = byHand.openUploadStream(file.filename, { chunkSizeBytes: 100_000 })
    await pipeline(source.openDownloadStream(file['_id']), to)
  }
  const stands = await filesOf('by-hand')
  expect(stored.map(shape)).toEqual(stands.map(shape))
  expect(Object.keys(stored[0]?.file ?? {})).toEqual(Object.keys(stands[0]?.file ?? {}))

  const chunksOf = (name: string) =>
    databaseOf(name)
      .collection('fs.chunks')
      .aggregate([
        { $group: { _id: '$n', count: { $sum: 1 }, bytes: { $sum: { $binarySize: '$data' } } } },
        { $sort: { _id: 1 } },
      ])
      .toArray()
  expect(await chunksOf('by-spec')).toEqual(await chunksOf('by-hand'))
  const indexesOf = async (name: string) =>
    Promise.all(['fs.files', 'fs.chunks'].map((collection) => databaseOf(name).collection(collection).indexes()))
  expect(await indexesOf('by-spec')).toEqual(await indexesOf('by-hand'))
})

async function contents(name: string, workers: number): Promise<readonly string[]> {
  await phasesOf(name, [store({}, { load: { kind: 'closed', workers } })])
  return (await filesOf(name)).map((stored) => stored.md5).toSorted()
}

test('the same seed stores the same bytes, whoever stores them', async () => {
  const one = await contents('one', 1)
  expect(await contents('seven', 7)).toEqual(one)
  expect(new Set(one).size).toBe(20)
})

test('a bucket has the name that the spec gives it, and is dropped by the next run', async () => {
  await phasesOf('names', [store({ bucketName: 'media' })])
  expect(await filesOf('names', 'media')).toHaveLength(20)
  await phasesOf('names', [store({ bucketName: 'other' }, { stopAfter: { operations: 1 } })])
  const left = await databaseOf('names').listCollections({}, { nameOnly: true }).toArray()
  expect(
    left
      .map(({ name }) => name)
      .filter((name) => /^(media|other)/.test(name))
      .toSorted(),
  ).toEqual(['other.chunks', 'other.files'])
})

test('a bucket of somebody else in our database is refused, and left alone', async () => {
  await phasesOf('theirs', [store({ bucketName: 'ours' }, { stopAfter: { operations: 1 } })])
  const theirs = databaseOf('theirs').collection('fs.files')
  await theirs.insertOne({ filename: 'precious' })
  await expect(phasesOf('theirs', [store()])).rejects.toSay('collection-not-made-by-us', {
    namespace: 'mongoperf_theirs.fs.files',
  })
  expect(await theirs.countDocuments()).toBe(1)
})

test('downloads by name read whole files, and count their bytes', async () => {
  const [, phase] = await phasesOf('download', [
    store(),
    { ...read({ filename: numbered({ '@pickRow': {} }) }, 60), load: { kind: 'closed', workers: 3 } },
  ])
  expect(phase?.operations[0]).toMatchObject({ ok: 60, failed: 0, documents: 60, bytes: 60 * 307_712 })
})

test('files with an id of the spec are read by it', async () => {
  const [, phase] = await phasesOf('by-id', [
    store({ filename: 'same', id: { '@nextRow': {} } }),
    read({ id: { '@pickRow': {} } }, 30),
  ])
  expect((await filesOf('by-id')).map(({ file }) => Number(file['_id'])).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, row) => row),
  )
  expect(phase?.operations[0]).toMatchObject({ ok: 30, bytes: 30 * 307_712 })
})

test('an empty file is a file', async () => {
  const phases = await phasesOf('empty', [
    store({ sizeKB: 0 }, { stopAfter: { operations: 1 } }),
    read({ filename: 'file-0' }),
  ])
  const empty = { operations: [{ ok: 1, bytes: 0, documents: 1 }] }
  expect(phases).toMatchObject([empty, empty])
})

test('a file that is not there is a call that failed', async () => {
  const [phase] = await phasesOf('missing', [read({ filename: 'nowhere' }, 5)])
  expect(phase?.operations[0]).toMatchObject({
    failed: 5,
    documents: 0,
    errors: [{ code: 'ENOENT', name: 'FileNotFound', count: 5 }],
  })
})

const keysOf = async (collection: string) =>
  (await databaseOf('indexes').collection(collection).indexes()).map(({ key, unique }) => [key, unique ?? false])

test('a bucket has its indexes before the first call', async () => {
  await phasesOf('indexes', [read({ filename: 'nowhere' })])
  expect(await keysOf('fs.files')).toContainEqual([{ filename: 1, uploadDate: 1 }, false])
  expect(await keysOf('fs.chunks')).toContainEqual([{ files_id: 1, n: 1 }, true])
})

test('a file that the server refuses is a call that failed', async () => {
  const [phase] = await phasesOf('refused', [
    store(
      { filename: 'same', id: 1, sizeKB: 1 },
      { load: { kind: 'closed', workers: 1 }, stopAfter: { operations: 3 } },
    ),
  ])
  expect(phase?.operations[0]).toMatchObject({ ok: 1, failed: 2, errors: [{ code: '11000', name: 'DuplicateKey' }] })
})
