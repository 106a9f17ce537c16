import * as mongodb from 'mongodb'
import { systemClock } from '../src/clock.ts'
import { createDriverEngine } from '../src/engines/driver/driver-engine.ts'
import { PhaseRecorder } from '../src/measure/recorder.ts'
import { type PhasePlan } from '../src/plan/plan.ts'
import { runPhase } from '../src/schedule/run-phase.ts'
import { startTestMongod } from '../test/integration/start-mongod.ts'
import { type Bench, median } from './benchmark.ts'

const workers = 16
const rounds = 5
const operations = 15_000
const keys = 1000

type Cost = { readonly opsPerSecond: number; readonly cpuUsPerOp: number }

/**
 * What the harness costs: `findOne` by key through closed loop, recorder and driver engine, beside a bare loop around the
 * same driver call with as many callers, in turns against one server. Goal: within 5 % of CPU per operation.
 */
export const findOne: Bench = async ({ mongod, print }) => {
  await using server = await startTestMongod(await mongod())
  await using client = new mongodb.MongoClient(server.uri)
  const text = 'x'.repeat(1000)
  const documents = Array.from({ length: keys }, (_, key) => ({ _id: key, number: key, text, tags: ['a', 'b', 'c'] }))
  await client.db('bench').collection<{ _id: number }>('documents').insertMany(documents)

  const bare: Cost[] = []
  const ours: Cost[] = []
  for (let round = 0; round < rounds; round += 1) {
    // Who goes first takes turns too.
    const sides = [async () => bare.push(await bareLoop(server.uri)), async () => ours.push(await ourLoop(server.uri))]
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side()
  }

  const show = (name: string, costs: readonly Cost[]): Cost => {
    const opsPerSecond = median(costs.map((cost) => cost.opsPerSecond))
    const cpuUsPerOp = median(costs.map((cost) => cost.cpuUsPerOp))
    print(
      `${name.padEnd(14)} ${opsPerSecond.toFixed(0).padStart(8)} ops/s ${cpuUsPerOp.toFixed(1).padStart(8)} µs CPU/op`,
    )
    return { opsPerSecond, cpuUsPerOp }
  }
  const bareCost = show('bare driver', bare)
  const ourCost = show('mongo-perf', ours)
  const speed = ourCost.opsPerSecond / bareCost.opsPerSecond
  const cpu = ourCost.cpuUsPerOp / bareCost.cpuUsPerOp
  print(`${'ratio'.padEnd(14)} ${speed.toFixed(3).padStart(8)}       ${cpu.toFixed(3).padStart(8)}`)
}

async function measure(run: (count: number) => Promise<void>): Promise<Cost> {
  await run(3000)
  const cpu = process.cpuUsage()
  const startMs = performance.now()
  await run(operations)
  const wallMs = performance.now() - startMs
  const { user, system } = process.cpuUsage(cpu)
  return { opsPerSecond: (operations / wallMs) * 1000, cpuUsPerOp: (user + system) / operations }
}

async function bareLoop(uri: string): Promise<Cost> {
  await using client = new mongodb.MongoClient(uri, { maxPoolSize: workers, minPoolSize: workers })
  const collection = client.db('bench').collection<{ _id: number }>('documents')
  return await measure(async (count) => {
    let left = count
    const work = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        await collection.findOne({ _id: left % keys })
      }
    }
    await Promise.all(Array.from({ length: workers }, work))
  })
}

async function ourLoop(uri: string): Promise<Cost> {
  const engine = createDriverEngine({ driver: mongodb, uri, database: 'bench', phase: plan(0) })
  try {
    return await measure(async (count) => {
      const phase = plan(count)
      const signal = new AbortController().signal
      await runPhase({ phase, engine, clock: systemClock, signal, recorder: new PhaseRecorder(phase.operations) })
    })
  } finally {
    await engine.close()
  }
}

function plan(count: number): PhasePlan {
  const operation = {
    name: 'findOne',
    kind: 'findOne',
    method: 'findOne',
    collection: 'documents',
    reply: 'document',
    carriesDocuments: false,
  } as const
  return {
    name: 'read',
    measured: true,
    settle: false,
    workers,
    warmup: undefined,
    stopAfter: { operations: count },
    deadlineMs: 30_000,
    writeConcern: { w: 'majority' },
    readConcern: { level: 'local' },
    readPreference: { mode: 'primary' },
    operations: [operation],
    calls() {
      let left = count
      return {
        next() {
          left -= 1
          return { operation: 0, args: [{ _id: left % keys }], bytes: 0, documents: 1 }
        },
        digest: () => '',
      }
    },
  }
}
