import * as mongodb from 'mongodb'
import { systemClock } from '../src/clock.ts'
import { createEngine } from '../src/engines/create-engine.ts'
import { clientOptions } from '../src/engines/driver/client-options.ts'
import { ourDriver } from '../src/engines/driver/load-driver.ts'
import { type PhaseEngine } from '../src/engines/engine.ts'
import { PhaseRecorder } from '../src/measure/recorder.ts'
import { type PhasePlan } from '../src/plan/plan.ts'
import { runPhase } from '../src/load/run-phase.ts'
import { fakePhase } from '../test/fakes/fake-calls.ts'
import { startTestMongod } from '../test/integration/start-mongod.ts'
import { type Bench, median } from './benchmark.ts'

const workers = 16
const rounds = 5
/** Many: a phase costs about 0.1 s of CPU once, whatever its length, and that is not what is asked here. */
const operationsPerRound = 30_000
const keys = 1000
const readConcern = { level: 'local' } as const
const noOptions = Object.freeze({})

type Cost = { readonly opsPerSecond: number; readonly cpuUsPerOp: number }
/** Runs so many operations. */
type Side = (operations: number) => Promise<unknown>

/**
 * What the harness costs: `findOne` by key through closed loop, recorder and driver engine, beside a bare loop around the
 * same driver call with as many callers and equal settings. In turns against one server, so that other load on the machine
 * meets both. Goal: within 5 % of CPU per operation.
 */
export const findOne: Bench = async ({ mongod, print }) => {
  await using server = await startTestMongod(await mongod())
  await using client = new mongodb.MongoClient(server.uri, clientOptions(plan(0)))
  const collection = client.db('bench').collection<Row>('documents', { readConcern })
  await collection.insertMany(Array.from({ length: keys }, (_, key) => row(key)))
  const engine = createEngine({
    kind: 'driver',
    driver: ourDriver(),
    uri: server.uri,
    database: 'bench',
    phase: plan(0),
  })
  try {
    await engine.warmUp()
    await compare(
      (operations) => bareLoop(collection, operations),
      (operations) => ourLoop(engine, operations),
      print,
    )
  } finally {
    await engine.close()
  }
}

type Row = { readonly _id: number; readonly number: number; readonly text: string; readonly tags: readonly string[] }
const row = (key: number): Row => ({ _id: key, number: key, text: 'x'.repeat(1000), tags: ['a', 'b', 'c'] })

async function compare(bareSide: Side, ourSide: Side, print: (line: string) => void): Promise<void> {
  const bare: Cost[] = []
  const ours: Cost[] = []
  await bareSide(operationsPerRound * 2)
  await ourSide(operationsPerRound * 2)
  for (let round = 0; round < rounds; round += 1) {
    // Who goes first takes turns too.
    const sides = [async () => bare.push(await measure(bareSide)), async () => ours.push(await measure(ourSide))]
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

async function measure(run: Side): Promise<Cost> {
  const cpu = process.cpuUsage()
  const startMs = performance.now()
  await run(operationsPerRound)
  const wallMs = performance.now() - startMs
  const { user, system } = process.cpuUsage(cpu)
  return { opsPerSecond: (operationsPerRound / wallMs) * 1000, cpuUsPerOp: (user + system) / operationsPerRound }
}

async function bareLoop(collection: mongodb.Collection<Row>, operations: number): Promise<void> {
  let left = operations
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await collection.findOne({ _id: left % keys })
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
}

async function ourLoop(engine: PhaseEngine, operations: number): Promise<void> {
  const phase = plan(operations)
  const recorder = new PhaseRecorder(phase.operations)
  const signal = new AbortController().signal
  await runPhase({ phase, engine: { ...engine, warmUp: async () => {} }, clock: systemClock, signal, recorder })
}

const plan = (count: number): PhasePlan =>
  fakePhase({
    workers,
    stopAfter: { operations: count },
    deadlineMs: 30_000,
    readConcern,
    calls() {
      let left = count
      return {
        next() {
          left -= 1
          return {
            operation: 0,
            args: { filter: { _id: left % keys }, options: noOptions },
            bytes: 0,
            documents: 1,
            number: count - left,
          }
        },
        digest: () => '',
      }
    },
  })
