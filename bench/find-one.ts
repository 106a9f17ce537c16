import * as mongodb from 'mongodb'
import { createEngine } from '../src/load/engines/create-engine.ts'
import { clientOptions } from '../src/load/engines/driver/client-options.ts'
import { bundledDriver } from '../src/load/engines/driver/load-driver.ts'
import { type Bench, type Cost, measureCost, interleave, computeMedian, medianRatio } from './benchmark.ts'
import { compileSpec, findByKey } from './compiled.ts'
import { startTestMongod } from './start/mongod.ts'
import { runOperations, createUnit } from './unit.ts'

const workers = 32
const rounds = 5
const keys = 1000
/** Many: a pass costs about 0.1 s of CPU once, whatever its length, and that is not what is asked here. */
const operationsPerRound = 30_000
const sides = ['bare driver', 'mongo-perf'] as const

type Document = { readonly _id: number } & Readonly<Record<string, unknown>>

/**
 * Measures what the harness costs: `findOne` by key through a unit of load and the driver engine, beside a bare loop around
 * the same call of the driver with as many workers and equal settings. Goals: at least 0.95 of its throughput, and at most
 * 1.05 of its CPU per operation.
 */
export const findOne: Bench = async ({ mongod, print }) => {
  const compiled = compileSpec(findByKey(keys, { kind: 'closed', workers }))
  const { phase, dataSets } = compiled
  await using server = await startTestMongod(await mongod())
  await using client = new mongodb.MongoClient(server.uri, clientOptions(phase))
  const collection = client.db('bench').collection<Document>('documents', { readConcern: { level: 'local' } })
  await collection.insertMany(
    Array.from({ length: keys }, (_, row) => dataSets[0]?.documentOf?.(row).document as Document),
  )
  const unit = createUnit(
    compiled,
    createEngine({ kind: 'driver', driver: bundledDriver(), uri: server.uri, database: 'bench', phase }),
  )
  const run = {
    'bare driver': (operations: number) => bareLoop(collection, operations),
    'mongo-perf': (operations: number) => runOperations(compiled, unit, operations),
  }
  try {
    await unit.connect(workers)
    for (const side of sides) await run[side](operationsPerRound * 2)
    const measured = await interleave(sides, rounds, (side) =>
      measureCost(() => run[side](operationsPerRound), operationsPerRound),
    )
    for (const side of sides) print(`${side}: ${shown(measured[side])}`)
    const [bare, ours] = [measured['bare driver'], measured['mongo-perf']]
    const throughput = medianRatio(bare, ours, ({ wallUs }) => wallUs)
    const cpu = medianRatio(ours, bare, ({ cpuUs }) => cpuUs)
    print(`mongo-perf by bare driver: throughput ${throughput.toFixed(3)}, CPU per op ${cpu.toFixed(3)}`)
  } finally {
    await unit.end()
  }
}

const shown = (costs: readonly Cost[]): string =>
  `${(1e6 / computeMedian(costs, ({ wallUs }) => wallUs)).toFixed(0)} ops/s, ${computeMedian(costs, ({ cpuUs }) => cpuUs).toFixed(1)} µs CPU/op`

async function bareLoop(collection: mongodb.Collection<Document>, operations: number): Promise<void> {
  let left = operations
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await collection.findOne({ _id: left % keys })
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
}
