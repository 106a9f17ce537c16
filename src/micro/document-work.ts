import {
  type AnyBulkWriteOperation,
  type AnyClientBulkWriteModel,
  BSON,
  type Collection,
  type Db,
  type Document,
} from 'mongodb'
import { Problem } from '../core/errors.ts'
import { corpusName, dropCollections, freshCorpus, numberedCorpora } from './collections.ts'
import type { DataSource, DocumentName } from './data/data-source.ts'
import { type TaskContext, type Work, renewEach } from './task.ts'

/** Operations of one iteration, and of one with the large document. */
const manyTimes = 10_000
const fewTimes = 10

/** Reads a document, with how often an iteration repeats it and the bytes of all those. */
async function readRepeated(data: DataSource, name: DocumentName) {
  const { document, bytes } = await readDocument(data, name)
  const times = name === 'large_doc.json' ? fewTimes : manyTimes
  return { document, times, bytes: bytes * times }
}

const copies = (count: number, document: Document): Document[] => Array.from({ length: count }, () => ({ ...document }))

export async function encodeBson(data: DataSource, name: DocumentName): Promise<Work> {
  const { document, times, bytes } = await readRepeated(data, name)
  return {
    bytes,
    operations: times,
    iterate() {
      for (let i = 0; i < times; i++) BSON.serialize(document)
    },
  }
}

export async function decodeBson(data: DataSource, name: DocumentName): Promise<Work> {
  const { document, times, bytes } = await readRepeated(data, name)
  const encoded = BSON.serialize(document)
  return {
    bytes,
    operations: times,
    iterate() {
      for (let i = 0; i < times; i++) BSON.deserialize(encoded)
    },
  }
}

/** Size of {hello: true} as BSON. */
const commandBytes = 13

export async function runCommand({ db }: { readonly db: Db }): Promise<Work> {
  return {
    bytes: commandBytes * manyTimes,
    async iterate() {
      for (let i = 0; i < manyTimes; i++) await db.command({ hello: true })
    },
  }
}

export async function findOneById({ data, db }: TaskContext, name: DocumentName): Promise<Work> {
  const { document, times, bytes } = await readRepeated(data, name)
  const corpus = db.collection<{ _id: number }>(corpusName)
  await corpus.insertMany(copies(times, document).map((copy, index) => Object.assign(copy, { _id: index + 1 })))
  return {
    bytes,
    async iterate() {
      for (let id = 1; id <= times; id++) await corpus.findOne({ _id: id })
    },
  }
}

/** Finds many documents and reads the cursor to its end. */
export async function findMany({ data, db }: TaskContext, name: DocumentName): Promise<Work> {
  const { document, times, bytes } = await readRepeated(data, name)
  const corpus = db.collection(corpusName)
  await corpus.insertMany(copies(times, document))
  return {
    bytes,
    async iterate() {
      const cursor = corpus.find({})
      while ((await cursor.next()) !== null);
    },
  }
}

/**
 * Prepares what writes copies of a document to an empty corpus. The driver adds an _id to the documents that it inserts, so each iteration
 * needs new ones.
 * @param moved Documents moved for each copy.
 */
const writeCopies =
  (
    write: (corpus: Collection<Document>, fresh: Document[], context: TaskContext) => () => Promise<unknown>,
    moved = 1,
  ) =>
  async (context: TaskContext, name: DocumentName): Promise<Work> => {
    const { document, times, bytes } = await readRepeated(context.data, name)
    return renewEach(bytes * moved, async () => write(await freshCorpus(context.db), copies(times, document), context))
  }

export const insertOne = writeCopies((corpus, fresh) => async () => {
  for (const copy of fresh) await corpus.insertOne(copy)
})

export const bulkInsert = writeCopies((corpus, fresh) => () => corpus.insertMany(fresh, { ordered: true }))

export const collectionBulkWrite = writeCopies((corpus, fresh) => {
  const models = fresh.map((document) => ({ insertOne: { document } }))
  return () => corpus.bulkWrite(models, { ordered: true })
})

export const clientBulkWrite = writeCopies(({ namespace }, fresh, { client }) => {
  const models = fresh.map((document) => ({ name: 'insertOne' as const, namespace, document }))
  return () => client.bulkWrite(models, { ordered: true })
})

/** Documents moved by an insert, a replacement and a delete: the delete moves none. */
const movedByMixed = 2

export const collectionBulkWriteMixed = writeCopies((corpus, fresh) => {
  const models = fresh.flatMap((document): AnyBulkWriteOperation[] => [
    { insertOne: { document } },
    { replaceOne: { filter: {}, replacement: { ...document } } },
    { deleteOne: { filter: {} } },
  ])
  return () => corpus.bulkWrite(models, { ordered: true })
}, movedByMixed)

/** Inserts, replaces and deletes documents of several collections with `client.bulkWrite`. */
export async function clientBulkWriteMixed({ data, client, db }: TaskContext, name: DocumentName): Promise<Work> {
  const { document, times, bytes } = await readRepeated(data, name)
  const namespaces = numberedCorpora.map((corpus) => `${db.databaseName}.${corpus}`)
  return renewEach(bytes * movedByMixed, async () => {
    await dropCollections(db, numberedCorpora)
    for (const corpus of numberedCorpora) await db.createCollection(corpus)
    const models = copies(times, document).flatMap((copy, index): AnyClientBulkWriteModel<Document>[] => {
      const namespace = namespaces[index % namespaces.length] ?? ''
      return [
        { name: 'insertOne', namespace, document: copy },
        { name: 'replaceOne', namespace, filter: {}, replacement: { ...document } },
        { name: 'deleteOne', namespace, filter: {} },
      ]
    })
    return () => client.bulkWrite(models, { ordered: true })
  })
}

/** A document with its size as the specification counts it: that of the file. */
type ReadDocument = { readonly document: Document; readonly bytes: number }

/** Reads a document with JavaScript types. 64-bit integers stay `Long`, because numbers would be encoded as doubles. */
export async function readDocument(data: DataSource, name: DocumentName): Promise<ReadDocument> {
  const text = await data.text(name)
  try {
    const plain: Document = JSON.parse(text)
    return { document: isPlain(plain) ? plain : typed(text), bytes: Buffer.byteLength(text) }
  } catch (error) {
    throw new Problem(
      'usage',
      `${name} is not a document in Extended JSON: ${error instanceof Error ? error.message : error}`,
      { hint: 'Take the files of extended_bson.tgz, not of extended_bson_legacy.tgz.', cause: error },
    )
  }
}

/** Whether JSON determines all types. Objects from the BSON decoder are slower to encode than objects from `JSON.parse`. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || value === (value | 0)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, one]) => !name.startsWith('$') && isPlain(one))
}

function typed(text: string): Document {
  const document: Document = BSON.EJSON.parse(text, { relaxed: false })
  return BSON.deserialize(BSON.serialize(document), { promoteLongs: false })
}
