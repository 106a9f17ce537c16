import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Document, ObjectId, serialize } from 'bson'
import { Problem, describeErrorCode } from '../../core/errors.ts'
import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { unwritableCode } from '../../results/files/results-file.ts'
import { collectionName } from '../../spec/schema/data-schema.ts'
import { decodeUntrusted } from '../recording/decode-untrusted.ts'
import type { Recording } from '../recording/open-recording.ts'
import type { RecordedCall } from '../recording/recorded-call.ts'
import { cursorsIn } from '../replay/write-message.ts'
import { type MadeDocument, documentsFor, soughtBy } from './document-for.ts'

const reader = new FieldReader()

/** Finds the collection that a call names. Empty: it names none. */
export function findCollection({ command }: Pick<RecordedCall, 'command'>): string {
  reader.open(command, 0, command.length)
  for (let isFirst = true; reader.next(); isFirst = false) {
    const text = isFirst || reader.is('collection') ? reader.text() : ''
    if (text !== '') return text
  }
  return ''
}

/** Documents that a filter is to find, and their size in bytes. */
type Wanted = { readonly documents: readonly MadeDocument[]; count: number; readonly bytes: number }

type MadeUp = {
  /** By filter, or by `_id`. Null: the calls insert it themselves. */
  readonly wanted: Map<string, Wanted | null>
  /** Number of calls by the first field of their filters. */
  readonly fields: Map<string, number>
}

// Limits for any recording, including a hostile one.
const maxWanted = 200_000
const maxEach = 10_000
const maxBytes = 256 * 1024 * 1024
const maxDocumentBytes = 64 * 1024
const maxIndexes = 10
/** Maximum number of collections, and of fields of each: names may be data. */
const maxNames = 10_000
const indexable = /^[^$.\0]+(\.[^$.\0]+)*$/

/**
 * Writes a folder in the form of mongodump: with as many documents as the calls on a database found, of the same size, and an index on the
 * first field of each filter. Only its owner may read it.
 * @throws {Problem} "output-unwritable", "disk-full".
 */
export async function makeUpData(recording: Recording, database: string, folder: string): Promise<void> {
  const collections = new Map<string, MadeUp>()
  /** Collections that the calls create by themselves, and fill. */
  const created = new Set<string>()
  const byCursor = new Map<bigint, { readonly wanted: Wanted; found: number }>()
  let kept = 0

  /** Keeps what is wanted by a key. @returns what the key has, now or from before. */
  function keep({ wanted }: MadeUp, key: string, one: Wanted | null): Wanted | null {
    const before = wanted.get(key)
    if (before !== undefined || kept >= maxWanted) return before ?? null
    wanted.set(key, one)
    kept += one?.documents.length ?? 1
    return one
  }

  function add(call: RecordedCall): void {
    const command = decodeUntrusted(call.command)
    const name = findCollection(call)
    if (command === undefined || !collectionName.safeParse(name).success) return
    let collection = collections.get(name)
    if (collection === undefined && collections.size + created.size >= maxNames) return
    if (call.name === 'create' && collection === undefined && call.reply?.ok === true) created.add(name)
    if (created.has(name)) return
    if (collection === undefined) collections.set(name, (collection = { wanted: new Map(), fields: new Map() }))
    const { reply } = call
    for (const id of insertedBy(call, command)) keep(collection, keyOfId(id), null)
    if (call.name === 'getMore') for (const id of cursorsIn(call)) addBatch(id, reply?.documents ?? 0)
    const bytes = (reply?.bytes ?? 0) / Math.max(1, reply?.documents ?? 1)
    for (const { filter, found } of soughtBy(call, command)) {
      const [field = ''] = Object.keys(filter)
      if (indexable.test(field) && field !== '_id' && collection.fields.size < maxNames)
        increment(collection.fields, field)
      if (found === 0) continue
      const documents = documentsFor(filter)
      const hasIds = documents.some((one) => one.has('_id'))
      for (const one of hasIds ? documents.slice(0, found) : [])
        keep(collection, keyOfId(one.get('_id')), { documents: [one], count: 1, bytes })
      if (hasIds || documents.length === 0) continue
      const wanted = keep(collection, documents.map(encode).join(), { documents, count: found, bytes })
      if (wanted === null) continue
      wanted.count = Math.max(wanted.count, found)
      if (reply?.cursor && byCursor.size < maxWanted) byCursor.set(reply.cursor, { wanted, found })
    }
  }

  /** A cursor finds more with each batch. */
  function addBatch(cursor: bigint, documents: number): void {
    const opened = byCursor.get(cursor)
    if (opened === undefined) return
    opened.found += documents
    opened.wanted.count = Math.max(opened.wanted.count, opened.found)
    if (documents === 0) byCursor.delete(cursor)
  }

  // Values of filters are used until the end.
  for await (const batch of recording.batches('kept'))
    for (const call of batch) if (call.database === database) add(call)
  const into = join(folder, database)
  const share = maxBytes / Math.max(1, collections.size)
  try {
    await mkdir(into, { recursive: true, mode: 0o700 })
    // Of collections that an earlier recording of this name had.
    for (const old of await readdir(into)) if (/\.(bson|metadata\.json)$/.test(old)) await rm(join(into, old))
    for (const [name, { wanted, fields }] of collections) {
      const indexed = [...fields].toSorted(([, one], [, other]) => other - one).slice(0, maxIndexes)
      const metadata = { options: {}, indexes: indexed.map(([field]) => ({ key: { [field]: 1 }, name: `${field}_1` })) }
      await writeFile(join(into, `${name}.metadata.json`), JSON.stringify(metadata), { mode: 0o600 })
      await writeFile(join(into, `${name}.bson`), inChunks(generateDocuments(wanted.values(), share)), { mode: 0o600 })
    }
  } catch (error) {
    const code = describeErrorCode(error)
    throw new Problem(unwritableCode(code), `${into} cannot be written (${code})`, {
      hint: 'Copy the recording into a folder that has room and in which you may write.',
      cause: error,
    })
  }
}

function* generateDocuments(all: Iterable<Wanted | null>, most: number): Generator<Buffer> {
  let left = most
  for (const wanted of all) {
    const encoded = wanted?.documents.map((document) => pad(document, wanted.bytes)) ?? []
    for (let i = 0; i < Math.min(wanted?.count ?? 0, maxEach); i++) {
      const document = encoded[i % encoded.length] as Buffer
      left -= document.length
      if (left < 0) return
      yield document
    }
  }
}

const chunkBytes = 256 * 1024

function* inChunks(buffers: Iterable<Buffer>): Generator<Buffer> {
  let chunk: Buffer[] = []
  let bytes = 0
  for (const buffer of buffers) {
    chunk.push(buffer)
    bytes += buffer.length
    if (bytes < chunkBytes) continue
    yield Buffer.concat(chunk)
    chunk = []
    bytes = 0
  }
  yield Buffer.concat(chunk)
}

const filler = 'filler'
/** Bytes of a text field without its letters: type, name, length and terminators. */
const fillerBytes = 1 + filler.length + 1 + 4 + 1

/** Pads a document to a number of bytes, where it has fewer. */
function pad(document: MadeDocument, bytes: number): Buffer {
  const bare = Buffer.from(serialize(document))
  const missing = Math.floor(Math.min(bytes, maxDocumentBytes)) - bare.length - fillerBytes
  if (missing <= 0 || document.has(filler)) return bare
  return Buffer.from(serialize(new Map(document).set(filler, 'x'.repeat(missing))))
}

const encode = (document: MadeDocument): string => Buffer.from(serialize(document)).toString('base64')
const keyOfId = (id: unknown): string => `_id ${encode(new Map([['_id', id]]))}`

function insertedBy({ name, reply }: RecordedCall, { documents }: Document): readonly unknown[] {
  const inserted = name === 'insert' && Array.isArray(documents) ? (documents as readonly Document[]) : []
  return [...inserted.map((one) => one?.['_id']), ...(reply?.upsertedIds ?? []).map((id) => new ObjectId(id))]
}

const increment = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)
