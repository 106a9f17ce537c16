import { type Collection, type Document, MongoClient } from 'mongodb'
import { type Bench, computeMedian } from './benchmark.ts'
import { startTestMongod } from './start/mongod.ts'

const documents = 20_000
const indexes = 4
const rounds = 9
const quickRounds = 3

/**
 * How many examined documents an entry of an index costs the server that a write adds: the factor of `advise`. CPU of the server for inserts with four
 * secondary indexes less that without them, for each entry, over its CPU for each document of a collection scan.
 */
export const indexEntries: Bench = async ({ mongod, print, quick }) => {
  await using server = await startTestMongod(await mongod())
  await using client = new MongoClient(server.uri)
  const db = client.db('bench')
  const readCpuUs = async (): Promise<number> => {
    const { extra_info: used } = await db.command({ serverStatus: 1 })
    return Number(used.user_time_us) + Number(used.system_time_us)
  }
  const measure = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await readCpuUs()
    await work()
    return (await readCpuUs()) - before
  }
  const fill = async (collection: Collection, indexed: boolean): Promise<number> => {
    await collection.drop()
    if (indexed) for (let field = 0; field < indexes; field++) await collection.createIndex({ [`field${field}`]: 1 })
    const rows = Array.from({ length: documents }, (_, i) => makeDocument(i))
    return await measure(() => collection.insertMany(rows, { ordered: false }))
  }
  const ratios: number[] = []
  for (let round = 0; round < (quick ? quickRounds : rounds); round++) {
    const plain = await fill(db.collection('plain'), false)
    const indexed = await fill(db.collection('indexed'), true)
    const scan = await measure(() => db.collection('plain').countDocuments({ field0: -1 }))
    ratios.push((indexed - plain) / (documents * indexes) / (scan / documents))
  }
  print(
    `an entry that a write adds costs as much CPU as ${computeMedian(ratios, Number).toFixed(1)} examined documents`,
  )
}

/** Values of the indexed fields come in no order. */
const makeDocument = (number: number): Document => ({
  ...Object.fromEntries(
    Array.from({ length: indexes }, (_, field) => [`field${field}`, (number * (7919 + field)) % documents]),
  ),
  text: 'x'.repeat(200),
})
