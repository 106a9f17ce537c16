import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { type Db, type Document, GridFSBucket, type ObjectId } from 'mongodb'
import { writeDurably } from '../core/files.ts'
import { bucketCollections, corpusName, dropCollections, freshCorpus } from './collections.ts'
import { type FolderName } from './data/data-source.ts'
import { renewEach, type TaskContext, type Work } from './task.ts'

/** Concurrency of the parallel tasks, which the specification leaves open. */
const filesAtOnce = 8

/** Handles all items, several concurrently. Rejects with the first failure. */
async function severalAtOnce<Item>(
  items: readonly Item[],
  handle: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  const left = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) await handle(item, index)
  }
  await Promise.all(Array.from({ length: filesAtOnce }, worker))
}

async function sumFileSizes(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  return sizes.reduce((total, size) => total + size, 0)
}

/** Reads a file with one JSON document per line. */
async function readLines(file: string): Promise<Document[]> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  return lines.filter((line) => line !== '').map((line): Document => JSON.parse(line))
}

/** An empty bucket. Uploading a file of one byte creates its collections and indexes. */
async function freshBucket(db: Db): Promise<GridFSBucket> {
  await dropCollections(db, bucketCollections)
  const bucket = new GridFSBucket(db)
  await upload(bucket, 'init', Buffer.alloc(1))
  return bucket
}

/** Uploads a file from memory and returns its _id. */
async function upload(bucket: GridFSBucket, name: string, content: Buffer): Promise<ObjectId> {
  const stream = bucket.openUploadStream(name)
  stream.end(content)
  await finished(stream)
  return stream.id
}

const largeFileName = 'gridfstest'

export async function gridfsUpload({ data, db }: TaskContext, name: 'gridfs_large.bin'): Promise<Work> {
  const content = await data.bytes(name)
  return renewEach(content.length, async () => {
    const bucket = await freshBucket(db)
    return () => upload(bucket, largeFileName, content)
  })
}

export async function gridfsDownload({ data, db }: TaskContext, name: 'gridfs_large.bin'): Promise<Work> {
  const content = await data.bytes(name)
  const id = await upload(await freshBucket(db), largeFileName, content)
  return renewEach(content.length, async () => {
    const bucket = new GridFSBucket(db)
    return () => once(bucket.openDownloadStream(id).resume(), 'end')
  })
}

export async function ldjsonImport({ data, db }: TaskContext, name: FolderName): Promise<Work> {
  const files = await data.files(name)
  return renewEach(await sumFileSizes(files), async () => {
    const corpus = await freshCorpus(db)
    return () => severalAtOnce(files, async (file) => corpus.insertMany(await readLines(file), { ordered: false }))
  })
}

const documentsPerFile = 5_000

export async function ldjsonExport({ data, db, workFolder }: TaskContext, name: FolderName): Promise<Work> {
  const files = await data.files(name)
  const corpus = db.collection<{ _id: number }>(corpusName)
  // Numbered ids, so that ranges of documents can be read concurrently by the _id index.
  await severalAtOnce(files, async (file, index) => {
    const documents = (await readLines(file)).map((document, line) =>
      Object.assign(document, { _id: index * documentsPerFile + line }),
    )
    await corpus.insertMany(documents, { ordered: false })
  })
  const folder = join(workFolder, 'ldjson_export')
  await mkdir(folder, { recursive: true })
  return {
    bytes: await sumFileSizes(files),
    iterate: () =>
      severalAtOnce(files, async (_, index) => {
        const first = index * documentsPerFile
        const documents = await corpus.find({ _id: { $gte: first, $lt: first + documentsPerFile } }).toArray()
        const lines = documents.map((document) => `${JSON.stringify(document)}\n`)
        await writeDurably(join(folder, `${index}.json`), lines.join(''))
      }),
  }
}

export async function gridfsMultiUpload({ data, db }: TaskContext, name: FolderName): Promise<Work> {
  const files = await data.files(name)
  return renewEach(await sumFileSizes(files), async () => {
    const bucket = await freshBucket(db)
    return () =>
      severalAtOnce(files, (file) => pipeline(createReadStream(file), bucket.openUploadStream(basename(file))))
  })
}

export async function gridfsMultiDownload({ data, db, workFolder }: TaskContext, name: FolderName): Promise<Work> {
  const files = await data.files(name)
  const filled = await freshBucket(db)
  const uploaded: { readonly id: ObjectId; readonly file: string }[] = []
  for (const file of files) {
    const stored = basename(file)
    uploaded.push({ id: await upload(filled, stored, await readFile(file)), file: stored })
  }
  const folder = join(workFolder, 'gridfs_download')
  return renewEach(await sumFileSizes(files), async () => {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    const bucket = new GridFSBucket(db)
    return () =>
      severalAtOnce(uploaded, ({ id, file }) =>
        // Flushes to disk before the stream ends.
        pipeline(bucket.openDownloadStream(id), createWriteStream(join(folder, file), { flush: true })),
      )
  })
}
