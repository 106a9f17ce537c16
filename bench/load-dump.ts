import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Document, deserialize } from 'bson'
import { MongoClient } from 'mongodb'
import { int32At } from '../src/protocol/bson/types.ts'
import { Crc64 } from '../src/run/data/files/archive.ts'
import { dataSet } from '../src/spec/schema/data-schema.ts'
import type { Bench } from './benchmark.ts'
import { makeArchive } from './dumps.ts'
import { compareLoaders, driverLoop, fileLoader, openDump, ownLoader } from './loaders/loader.ts'
import { startPymongo } from './loaders/pymongo.ts'
import { writeData } from './loaders/written-data.ts'
import { startTestMongod } from './start/mongod.ts'

/** About 48 MB of them. */
const rows = 125_000
const collection = 'orders'

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
/**
 * Measures the load of a dump beside loops that one writes by hand, of the driver and of pymongo: a thousand documents a call, over
 * the same bytes. In turns, on a standalone server. The dump is made here, in the published format: no mongodump is needed.
 */
export const loadDump: Bench = async ({ mongod, ...output }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-bench-dump-'))
  try {
    const orders = dataSet.parse({ collection, rows: output.quick ? rows / 8 : rows, document: order })
    const [dump] = await writeData(folder, [orders], 1)
    if (dump === undefined) throw new Error('Nothing was written')
    const archive = await writeArchive(dump.file)
    await using server = await startTestMongod(await mongod())
    await using client = await MongoClient.connect(server.uri, { monitorCommands: true })
    await using pymongo = await startPymongo(server.uri, output.print)
    const fromArchive = ownLoader('mongo-perf, from an archive', () => openDump('archive', archive, collection))
    const own = [fileLoader, fromArchive]
    await compareLoaders([driverLoop, ...(pymongo ? [pymongo] : []), ...own], [dump], client.db('bench'), output)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The documents of a file of BSON as an archive, beside it. */
async function writeArchive(file: string): Promise<string> {
  const documents = [...documentsIn(await readFile(file))]
  const archive = file.replace('.bson', '.archive')
  const options = { perSegment: 1000, crc: quickChecksum }
  await writeFile(archive, makeArchive([{ db: 'bench', collection, documents }], options))
  return archive
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
