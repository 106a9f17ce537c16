import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deserialize, type Document } from 'bson'
import { type Db, MongoClient } from 'mongodb'
import { systemClock } from '../src/core/clock.ts'
import { int32At } from '../src/protocol/bson/skip.ts'
import { BsonWriter } from '../src/protocol/bson/writer.ts'
import { openContent } from '../src/run/data/files/content.ts'
import { Crc64 } from '../src/run/data/files/crc64.ts'
import { openDocuments } from '../src/run/data/files/open-documents.ts'
import { createInserters } from '../src/run/data/inserter.ts'
import { fileBatches, insertBatches } from '../src/run/data/load.ts'
import { type Bench, median } from './benchmark.ts'
import { makeArchive } from './dumps.ts'
import { startTestMongod } from './start/mongod.ts'
import { compileJson } from './values.ts'

const bytesPerRound = 48 * 1024 * 1024
const rounds = 7
const handBatch = 1000
const collectionName = 'orders'

/** Documents as shops have them: a dozen fields, one list of documents. */
const order = {
  _id: { '@objectId': {} },
  number: { '@row': {} },
  customer: { '@uuid': {} },
  name: { '@concat': [{ '@oneOf': { words: 'names.en' } }, ' ', { '@oneOf': { words: 'surnames.en' } }] },
  city: { '@oneOf': { words: 'cities.de' } },
  status: { '@choice': { values: ['open', 'paid', 'sent'] } },
  at: { '@date': {} },
  total: { '@logNormal': { median: 30, sigma: 0.8 } },
  items: {
    '@array': {
      size: { min: 1, max: 6 },
      of: {
        sku: { '@string': { length: 8 } },
        count: { '@int': { min: 1, max: 5 } },
        price: { '@double': { max: 100 } },
      },
    },
  },
  note: { '@oneOf': { words: 'sentences.en' } },
}

type Load = (db: Db, file: string) => Promise<void>

/**
 * Measures the load of a dump beside the loop that one writes by hand: `insertMany` of a thousand documents after the other,
 * over the same bytes. In turns, on a standalone server. The dump is made here, in the published format: no mongodump is needed.
 */
export const loadDump: Bench = async ({ mongod, print, quick }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-bench-dump-'))
  try {
    const { file, archive, documents, bytes } = await writeFiles(folder, quick ? bytesPerRound / 8 : bytesPerRound)
    print(`${documents} documents, ${(bytes / 1024 ** 2).toFixed(0)} MB of BSON`)
    await using server = await startTestMongod(await mongod())
    await using client = await MongoClient.connect(server.uri, { monitorCommands: true })
    const db = client.db('bench')
    const sides: readonly (readonly [string, Load, string])[] = [
      ['insertMany by hand', byHand, file],
      ['.bson file', ours('bson'), file],
      ['archive', ours('archive'), archive],
    ]
    const measured = sides.map((): { readonly ms: number[]; readonly cpuMs: number[] } => ({ ms: [], cpuMs: [] }))
    for (let round = -1; round < (quick ? 2 : rounds); round++)
      for (const i of order3(round)) {
        const [, load, from] = sides[i] ?? fail()
        const { ms, cpuMs } = await measure(db, () => load(db, from))
        const found = await db.collection(collectionName).estimatedDocumentCount()
        if (found !== documents) throw new Error(`${found} documents instead of ${documents}`)
        // The first round warms up.
        if (round < 0) continue
        measured[i]?.ms.push(ms)
        measured[i]?.cpuMs.push(cpuMs)
      }
    const [hand = fail()] = measured
    for (const [i, [name]] of sides.entries()) {
      const { ms, cpuMs } = measured[i] ?? fail()
      print(
        `${name}: ${((documents / median(ms)) * 1000).toFixed(0)} documents/s, ${(bytes / 1024 ** 2 / (median(ms) / 1000)).toFixed(0)} MB/s, speed × ${ratio(hand.ms, ms)}, CPU of the client × ${ratio(cpuMs, hand.cpuMs)}`,
      )
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const fail = (): never => {
  throw new Error('not there')
}

const ratio = (one: readonly number[], other: readonly number[]): string =>
  median(one.map((value, round) => value / (other[round] ?? NaN))).toFixed(2)

/** Who goes first takes turns. */
const order3 = (round: number): readonly number[] => [0, 1, 2].map((i) => (i + round + 3) % 3)

async function writeFiles(folder: string, wanted: number) {
  const { written } = compileJson(order)
  const out = new BsonWriter(wanted + 1024 ** 2)
  let documents = 0
  // `written` wraps the value as the only field: the document begins behind its key.
  for (; out.at < wanted; documents++) {
    const { bytes } = written(documents)
    out.copy(bytes, 11, bytes.length - 1)
  }
  const bytes = out.bytes.subarray(0, out.at)
  const file = path.join(folder, 'orders.bson')
  const archive = path.join(folder, 'orders.archive')
  await writeFile(file, bytes)
  const all = [...documentsIn(bytes)]
  await writeFile(
    archive,
    makeArchive([{ db: 'bench', collection: collectionName, documents: all }], {
      perSegment: 1000,
      crc: quickChecksum,
    }),
  )
  return { file, archive, documents, bytes: bytes.length }
}

/** The one of the tests goes bit by bit. */
function quickChecksum(bytes: Uint8Array): bigint {
  const crc = new Crc64()
  crc.add(bytes, 0, bytes.length)
  return crc.value()
}

function* documentsIn(bytes: Buffer): Generator<Document> {
  const exactly = { promoteValues: false, promoteBuffers: false }
  for (let at = 0; at < bytes.length; at += int32At(bytes, at))
    yield deserialize(bytes.subarray(at, at + int32At(bytes, at)), exactly)
}

/** Milliseconds and those of the client's processor, into a new collection. */
async function measure(db: Db, load: () => Promise<void>): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  await db.dropDatabase()
  await db.createCollection(collectionName)
  // What the round before left dirty is written now, not in this one.
  await db.admin().command({ fsync: 1 })
  const before = process.cpuUsage()
  const startMs = performance.now()
  await load()
  const ms = performance.now() - startMs
  const { user, system } = process.cpuUsage(before)
  return { ms, cpuMs: (user + system) / 1000 }
}

const byHand: Load = async (db, file) => {
  const collection = db.collection(collectionName)
  let rest = Buffer.alloc(0)
  let batch: Document[] = []
  for await (const chunk of openContent(file, 1, false).chunks) {
    const bytes = Buffer.concat([rest, chunk])
    let at = 0
    for (; bytes.length - at >= 4 && at + int32At(bytes, at) <= bytes.length; at += int32At(bytes, at)) {
      batch.push(deserialize(bytes.subarray(at, at + int32At(bytes, at))))
      if (batch.length < handBatch) continue
      await collection.insertMany(batch)
      batch = []
    }
    rest = bytes.subarray(at)
  }
  if (batch.length > 0) await collection.insertMany(batch)
}

const ours =
  (kind: 'bson' | 'archive'): Load =>
  async (db, file) => {
    const content = openContent(file, (await stat(file)).size, false)
    const namespace = { database: 'bench', collection: collectionName }
    const fill = fileBatches(openDocuments(file, { kind, namespace }, content), 0)
    using inserters = createInserters({ db, collection: collectionName, ordered: false }, systemClock)
    const signal = new AbortController().signal
    await insertBatches(inserters, fill, { clock: systemClock, signal, inOrder: false, onProgress: () => {} })
  }
