import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { deserialize } from 'bson'
import { isObject, isWithin, type Json, type JsonObject } from '../../core/json.ts'
import { decodePercents } from '../../core/printable.ts'
import { suggestion } from '../../language/issues.ts'
import { checkDocument } from '../../protocol/bson/check-document.ts'
import { readStart, unpackStart } from './data-file-kinds.ts'
import { type FileNamed, type FoundFile } from './data-file.ts'
import { type Namespace, readNamespace } from './namespace.ts'

/** A collection of a folder that mongodump has written. */
type DumpedFile = Namespace & { readonly path: string }

/** A collection of an archive, with its options and indexes as Extended JSON. */
type DumpedMetadata = Namespace & { readonly metadata: string }

const dumpFile = /\.bson(\.gz)?$/

/** The collections in a folder that mongodump has written: of one database, or of all in folders of their own. */
export function listFolder(path: string): readonly DumpedFile[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inside = join(path, entry.name)
    if (entry.isDirectory()) return filesIn(inside)
    return dumpFile.test(entry.name) ? fileIn(path, entry.name) : []
  })
}

const filesIn = (folder: string): readonly DumpedFile[] =>
  readdirSync(folder)
    .filter((name) => dumpFile.test(name))
    .map((name) => fileIn(folder, name))

/** Names of files have what a file system would not take in percent signs. */
function fileIn(folder: string, name: string): DumpedFile {
  const escaped = name.replace(dumpFile, '').replaceAll(/%(?![0-9a-f]{2})/gi, '%25')
  return { database: basename(folder), collection: decodePercents(escaped), path: join(folder, name) }
}

/** Chooses the collection of a dump that a data set names, or the reason why there is none. */
export function chooseDumped<Dumped extends Namespace>(
  all: readonly Dumped[],
  { namespace, collection }: FileNamed,
): Dumped | string {
  const dumped = all.filter((one) => !one.collection.startsWith('system.'))
  const names = dumped.map((one) => `${one.database}.${one.collection}`)
  const wanted = namespace === undefined ? undefined : readNamespace(namespace)
  const found = dumped.filter((one) =>
    wanted ? one.database === wanted.database && one.collection === wanted.collection : one.collection === collection,
  )
  const [only] = wanted !== undefined || found.length > 0 || dumped.length > 1 ? found : dumped
  if (found.length > 1)
    return `has ${found.map((one) => `${one.database}.${one.collection}`).join(' and ')}: name one as "namespace"`
  const asked = namespace ?? collection
  if (only !== undefined) return only
  return all.some((one) => one.collection === `system.buckets.${wanted?.collection ?? collection}`)
    ? `has "${asked}" as a time series, in buckets; restore it with mongorestore, and write it with mongoexport`
    : `has no collection "${asked}"${suggestion(asked, names)}`
}

/** Sizes of the beginning of an archive in which its list of collections is looked for. */
const preludeSizes = [65_536, 1_048_576, 16_777_216]

/** The collections that an archive lists in front of its documents, or the reason why they cannot be read. */
export function readPrelude(path: string, isGzip: boolean): readonly DumpedMetadata[] | string {
  for (const size of preludeSizes) {
    const raw = readStart(path, size)
    const found = parsePrelude(isGzip ? unpackStart(raw) : raw)
    if (found !== undefined) return found
    if (raw.length < size) break
  }
  return 'is an archive of mongodump whose list of collections is damaged or cut short'
}

/** Undefined where the bytes end before the list, or it is damaged. */
function parsePrelude(bytes: Buffer): readonly DumpedMetadata[] | undefined {
  const listed: DumpedMetadata[] = []
  // Behind the magic number stands the header, which is no collection.
  for (let at = 4, n = 0; at + 4 <= bytes.length; n++) {
    const length = bytes.readInt32LE(at)
    if (length === -1) return listed
    if (length < 5 || at + length > bytes.length) return undefined
    const read = readDocument(bytes.subarray(at, at + length))
    if (read === undefined) return undefined
    const { db, collection, metadata = '' } = read
    if (n > 0) {
      if (![db, collection, metadata].every((text) => typeof text === 'string')) return undefined
      listed.push({ database: String(db), collection: String(collection), metadata: String(metadata) })
    }
    at += length
  }
  return undefined
}

function readDocument(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    checkDocument(bytes, 0, bytes.length)
    return deserialize(bytes)
  } catch {
    return undefined
  }
}

/** Options and indexes of a dumped collection, as a data set has them. Nothing expires, or old documents would be deleted while they are measured. */
export type DumpMetadata = {
  readonly options: JsonObject
  readonly indexes: readonly JsonObject[]
  /** Keys of the indexes that expired documents, as JSON. "clustered": the collection itself did. */
  readonly expiring: ReadonlySet<string>
}

const maxLevels = 100
const nothing: DumpMetadata = { options: {}, indexes: [], expiring: new Set() }

/**
 * Reads the options and the secondary indexes of a dumped collection.
 * @returns the reason where they cannot be read.
 */
export function readMetadata({ path, kind, isGzip, namespace }: FoundFile): DumpMetadata | string {
  if (kind !== 'bson' && kind !== 'archive') return nothing
  try {
    return parseMetadata(kind === 'bson' ? metadataNextTo(path) : metadataInside(path, isGzip, namespace))
  } catch {
    return 'has options and indexes (metadata.json) that cannot be read'
  }
}

function metadataNextTo(path: string): string {
  const file = path.replace(dumpFile, '.metadata.json')
  if (existsSync(file)) return readMetadataFile(file).toString()
  if (!existsSync(`${file}.gz`)) return ''
  return gunzipSync(readMetadataFile(`${file}.gz`), { maxOutputLength: maxMetadata }).toString()
}

/** Bytes of the options and indexes of a collection. A server takes at most 64 indexes. */
const maxMetadata = 16 * 1024 * 1024

/** @throws {Error} where it is a pipe or a device, which may never end, or too large. */
function readMetadataFile(file: string): Buffer {
  const found = statSync(file)
  if (!found.isFile() || found.size > maxMetadata) throw new Error('no file of mongodump')
  return readFileSync(file)
}

function metadataInside(path: string, isGzip: boolean, namespace: Namespace | undefined): string {
  const listed = readPrelude(path, isGzip)
  const own =
    typeof listed !== 'string' &&
    listed.find((one) => one.collection === namespace?.collection && one.database === namespace.database)
  return own ? own.metadata : ''
}

/** The option of indexes and collections by which documents are deleted. */
const expiry = 'expireAfterSeconds'
/** Options that say how the server stores what it makes anew, or that it no longer takes. */
const spentOptions: ReadonlySet<string> = new Set(['autoIndexId', 'flags', 'temp', 'uuid', expiry])
/** Fields of indexes that the server of the dump has set. */
const spentOfIndex: ReadonlySet<string> = new Set(
  `v ns background textIndexVersion 2dsphereIndexVersion dropDups drop_dups safe ${expiry}`.split(' '),
)

function parseMetadata(text: string): DumpMetadata {
  if (text === '') return nothing
  const read = JSON.parse(text) as JsonObject
  if (!isWithin(maxLevels, read)) throw new Error('nested too deep')
  const { options, indexes } = read
  const listed = ((Array.isArray(indexes) ? indexes : []) as readonly JsonObject[]).map(withModernKey)
  const expiring = listed.flatMap((index) => (index[expiry] === undefined ? [] : [JSON.stringify(index['key'])]))
  const isClustered = isObject(options) && options[expiry] !== undefined
  return {
    expiring: new Set([...expiring, ...(isClustered ? ['clustered'] : [])]),
    options: isObject(options) ? without(options, spentOptions) : {},
    indexes: listed
      .filter(({ name, clustered }) => name !== '_id_' && clustered !== true)
      .map((index) => without(index, spentOfIndex)),
  }
}

/** Directions that servers before 3.4 took for ascending, as mongorestore converts them. */
const ascending: ReadonlySet<unknown> = new Set([true, 0, ''])

function withModernKey(index: JsonObject): JsonObject {
  const { key } = index
  if (!isObject(key)) return index
  const entries = Object.entries(key).map(([field, value]) => [field, ascending.has(value) ? 1 : value] as const)
  return { ...index, key: Object.fromEntries(entries) }
}

const without = (object: JsonObject, keys: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(object).filter((entry): entry is [string, Json] => !keys.has(entry[0])))
