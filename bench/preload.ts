import { type Collection, type Db, MongoClient } from 'mongodb'
import { systemClock } from '../src/core/clock.ts'
import { createInserters } from '../src/run/data/inserter.ts'
import { generatedBatches, insertBatches } from '../src/run/data/load.ts'
import { createDataSet, type DataSet } from '../src/spec/plan/data-set.ts'
import { dataSet } from '../src/spec/schema/data-schema.ts'
import { type Bench, median } from './benchmark.ts'
import { startTestMongod } from './start/mongod.ts'

const sizesKB = [0.2, 1]
const bytesPerRound = 24 * 1024 * 1024
const rounds = 7
const handBatch = 1000

type Side = (db: Db, data: DataSet, documents: number) => Promise<unknown>
const collectionName = 'documents'

/** Measures what loading costs beside the loop that one writes by hand: the same documents, `insertMany` after `insertMany`. In turns, on a standalone server. */
export const preload: Bench = async ({ mongod, print }) => {
  await using server = await startTestMongod(await mongod())
  await using client = await MongoClient.connect(server.uri, { monitorCommands: true })
  for (const sizeKB of sizesKB) {
    const documents = Math.ceil(bytesPerRound / (sizeKB * 1024))
    const data = createData(sizeKB)
    const ours: number[] = []
    const byHand: number[] = []
    const measure = async (side: Side, rates: number[]): Promise<void> =>
      void rates.push(await measureRate(side, client.db('bench'), data, documents))
    await measure(handLoop, [])
    await measure(ourLoad, [])
    for (let round = 0; round < rounds; round++) {
      // Who goes first takes turns too.
      const sides = [() => measure(handLoop, byHand), () => measure(ourLoad, ours)]
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side()
    }
    const ratio = median(ours.map((rate, i) => rate / (byHand[i] ?? 0)))
    print(
      `${sizeKB} KB: by hand ${median(byHand).toFixed(0)} documents/s, mongo-perf ${median(ours).toFixed(0)} documents/s, ratio ${ratio.toFixed(2)}`,
    )
  }
}

const createData = (sizeKB: number): DataSet =>
  createDataSet(
    dataSet.parse({
      collection: collectionName,
      document: { '@filler': { sizeKB, fields: { _id: { '@row': {} }, n: { '@int': {} } } } },
    }),
    [],
    {
      seed: 1,
      report: (_path, reason) => {
        throw new Error(reason)
      },
    },
  )

/** Documents per second, into a new collection. */
async function measureRate(side: Side, db: Db, data: DataSet, documents: number): Promise<number> {
  await db.dropDatabase()
  await db.createCollection(collectionName)
  // What the round before left dirty is written now, not in this one.
  await db.admin().command({ fsync: 1 })
  const startMs = performance.now()
  await side(db, data, documents)
  return (documents / (performance.now() - startMs)) * 1000
}

const handLoop: Side = async (db, { documentOf }, documents) => {
  const collection: Collection = db.collection(collectionName)
  for (let first = 0; first < documents; first += handBatch) {
    const rows = Array.from({ length: Math.min(handBatch, documents - first) }, (_, i) => first + i)
    await collection.insertMany(rows.map((row) => documentOf?.(row).document ?? {}))
  }
}

const ourLoad: Side = async (db, { writeDocument }, documents) => {
  if (writeDocument === undefined) throw new Error('The data set has no documents')
  using inserters = createInserters({ db, collection: collectionName, ordered: false }, systemClock)
  await insertBatches(inserters, generatedBatches(writeDocument, documents), {
    clock: systemClock,
    signal: new AbortController().signal,
    inOrder: false,
    onProgress: () => {},
  })
}
