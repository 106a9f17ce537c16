import { deserialize } from 'bson'
import { type Collection, type Db, type Document } from 'mongodb'
import { Problem } from '../errors.ts'
import { suggestion } from '../language/issues.ts'
import { type FoundIndex, type CollectionProfile } from './collection-profile.ts'
import { newShape, observe } from './shape.ts'

/** Limits what sampling a collection may cost the server. */
const bounded = { maxTimeMS: 60_000 }

/** Keeps the types of the server: a whole double does not become an int32, and invalid UTF-8 is accepted. */
const exactTypes = { promoteValues: false, bsonRegExp: true, validation: { utf8: false } }

/** Decodes a document of a cursor with `raw`, which returns bytes. */
export const decode = (raw: unknown): Document => deserialize(raw as Uint8Array, exactTypes)

/** Small, because documents can have 16 MB each. None is kept. */
const batchSize = 20

/** Samples a collection. It only reads, with the read preference of the URI. */
export async function sampleCollection(db: Db, name: string, sample: number): Promise<CollectionProfile> {
  const info = await findCollection(db, name)
  const kind = info['type'] === 'view' ? 'view' : info['type'] === 'timeseries' ? 'timeseries' : 'collection'
  const collection = db.collection(name)
  const counted = kind === 'collection' ? await countAndSize(collection) : undefined
  const documents = counted?.documents ?? (await collection.countDocuments({}, bounded))
  const shape = newShape()
  const sampledBytes = await sampleInto(shape, collection, documents, sample)
  return {
    database: db.databaseName,
    collection: name,
    kind,
    documents: Math.max(documents, shape.count),
    sampled: shape.count,
    meanBytes: counted?.meanBytes || sampledBytes / Math.max(1, shape.count),
    options: (info['options'] ?? {}) as CollectionProfile['options'],
    indexes: kind === 'view' ? [] : ((await collection.listIndexes().toArray()) as FoundIndex[]),
    shape,
  }
}

async function findCollection(db: Db, name: string): Promise<Document> {
  const [info] = await db.listCollections({ name }).toArray()
  if (info) return info
  const all = await db.listCollections({}, { nameOnly: true, authorizedCollections: true }).toArray()
  const names = all.map((entry) => entry.name).filter((entry) => !entry.startsWith('system.'))
  throw new Problem('usage', `There is no collection "${db.databaseName}.${name}"${suggestion(name, names)}`, {
    hint:
      names.length === 0
        ? `The database "${db.databaseName}" has no collections that this user may list: check its name.`
        : 'Write --from database.collection, with the names that the server uses.',
  })
}

/** Sums over all shards. */
async function countAndSize(collection: Collection): Promise<{ documents: number; meanBytes: number }> {
  const stats = await collection.aggregate([{ $collStats: { storageStats: {} } }], bounded).toArray()
  const sum = (field: string): number =>
    stats.reduce((total, { storageStats }) => total + Number((storageStats as Document | undefined)?.[field] ?? 0), 0)
  const [documents, bytes] = [sum('count'), sum('size')]
  return { documents, meanBytes: documents > 0 ? bytes / documents : 0 }
}

/** @returns Total bytes of the sampled documents. */
async function sampleInto(
  shape: ReturnType<typeof newShape>,
  collection: Collection,
  documents: number,
  sample: number,
): Promise<number> {
  const options = { ...bounded, batchSize, allowDiskUse: false }
  // Reads a small collection whole: $sample would sort it, and may miss or repeat documents.
  const cursor =
    documents <= sample
      ? collection.find({}, { ...options, limit: sample, raw: true })
      : collection.aggregate([{ $sample: { size: sample } }], { ...options, raw: true })
  let bytes = 0
  for await (const raw of cursor) {
    const buffer = raw as unknown as Uint8Array
    bytes += buffer.byteLength
    observe(shape, decode(buffer))
  }
  return bytes
}
