import { calculateObjectSize, deserialize } from 'bson'
import { type Collection, type Db, type Document, type Filter } from 'mongodb'
import { Problem } from '../../../core/errors.ts'
import { placeKey, Stream } from '../../../core/random.ts'
import { suggestion } from '../../../language/issues.ts'
import { chooseFrom, maxOrdered as maxById } from '../../../run/data/choose-documents.ts'
import {
  type FoundIndex,
  type CollectionProfile,
  type Columns,
  createColumns,
  type FlatDocument,
  flatten,
} from './collection-profile.ts'
import { toComparableNumber } from './kinds.ts'
import { Shape, observe } from './shape.ts'

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
  const documents = kind === 'collection' ? await countStored(collection) : await collection.countDocuments({}, bounded)
  const shape = new Shape()
  const options = (info['options'] ?? {}) as CollectionProfile['options']
  const timeField = (options['timeseries'] as Document | undefined)?.['timeField'] as string | undefined
  const { bytes, columns } = await sampleInto(shape, collection, { kind, documents, sample, timeField })
  return {
    database: db.databaseName,
    collection: name,
    kind,
    documents: Math.max(documents, shape.count),
    sampled: shape.count,
    // Of those that were read: servers of other kinds count their files instead.
    meanBytes: bytes / Math.max(1, shape.count),
    options,
    indexes: kind === 'view' ? [] : ((await collection.listIndexes().toArray()) as FoundIndex[]),
    shape,
    columns,
  }
}

async function findCollection(db: Db, name: string): Promise<Document> {
  const [info] = await db.listCollections({ name }).toArray()
  if (info) return info
  const all = await db.listCollections({}, { nameOnly: true, authorizedCollections: true }).toArray()
  const names = all.map((entry) => entry.name).filter((entry) => !entry.startsWith('system.'))
  throw new Problem(
    'usage',
    `${names.length === 0 ? 'This user sees' : 'There is'} no collection "${db.databaseName}.${name}"${suggestion(name, names)}`,
    {
      hint:
        names.length === 0
          ? `Check the name of the database "${db.databaseName}", and the rights of the user: it must be allowed to read there (role "read").`
          : 'Write --from database.collection, with the names that the server uses.',
    },
  )
}

/** Sums over all shards. */
async function countStored(collection: Collection): Promise<number> {
  const stats = await collection.aggregate([{ $collStats: { storageStats: {} } }], bounded).toArray()
  return stats.reduce(
    (total, { storageStats }) => total + Number((storageStats as Document | undefined)?.['count'] ?? 0),
    0,
  )
}

/** The same documents are taken again: their notes and figures can be compared. */
const seed = 42
/** Documents whose order of insertion is looked at. */
const maxOrdered = 2000

type Sampled = { readonly bytes: number; readonly columns: Columns }

/** Samples documents, in the order of their places in the collection where they have any. */
async function sampleInto(shape: Shape, collection: Collection, wanted: Wanted): Promise<Sampled> {
  const found: { readonly place: number; readonly flat: FlatDocument }[] = []
  const everyNth = Math.ceil(Math.min(wanted.documents, wanted.sample) / maxOrdered)
  let bytes = 0
  for await (const raw of readSample(collection, wanted)) {
    const { $recordId: place, ...document } = decode(raw)
    bytes += calculateObjectSize(document)
    observe(shape, document)
    if (shape.count % everyNth > 0) continue
    const time = wanted.timeField === undefined ? undefined : (document[wanted.timeField] as unknown)
    found.push({ place: Number(toComparableNumber(time ?? place) ?? 0), flat: flatten(document) })
  }
  const inOrder = found.toSorted((a, b) => a.place - b.place).map(({ flat }) => flat)
  return { bytes, columns: wanted.kind === 'view' ? new Map() : createColumns(inOrder) }
}

type Wanted = Pick<CollectionProfile, 'kind' | 'documents'> & {
  readonly sample: number
  readonly timeField: string | undefined
}

/** Chooses documents by their `_id`s, as "@sample" does; of views and time series the server chooses. */
async function* readSample(collection: Collection, { kind, documents, sample }: Wanted): AsyncGenerator<unknown> {
  const options = { ...bounded, batchSize, raw: true }
  const whole = { ...options, limit: sample, showRecordId: kind === 'collection' }
  // Reads a small collection whole: $sample would sort it, and may miss or repeat documents.
  if (documents <= sample) return yield* collection.find({}, whole)
  const atRandom = [{ $sample: { size: sample } }]
  if (kind !== 'collection') return yield* collection.aggregate(atRandom, { ...options, allowDiskUse: false })
  const onlyIds = { projection: { _id: 1 }, sort: { _id: 1 }, raw: true, ...bounded } as const
  const ids =
    documents > maxById
      ? await collection.aggregate([...atRandom, { $project: { _id: 1 } }], { ...bounded, raw: true }).toArray()
      : await chooseFrom(
          collection.find({}, onlyIds) as AsyncIterable<unknown> as AsyncIterable<Uint8Array>,
          sample,
          new Stream(placeKey(seed, collection.collectionName)),
        )
  for (let from = 0; from < ids.length; from += idsPerQuery) {
    const $in = ids.slice(from, from + idsPerQuery).map((raw) => decode(raw)['_id'] as unknown)
    yield* collection.find({ _id: { $in } } as Filter<Document>, whole)
  }
}

const idsPerQuery = 1000
