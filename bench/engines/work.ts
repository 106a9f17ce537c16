import { type CreateCollectionOptions, type MongoClient } from 'mongodb'
import { type SpecInput } from '../../src/spec/spec-input.ts'
import { interleave } from '../benchmark.ts'
import { compileSpec } from '../compiled.ts'
import { startCSide } from './c-side.ts'
import { type Goal } from './goals.ts'
import { startNodeSide } from './node-side.ts'
import { startGoYcsb } from './other-tools.ts'
import { collection, database, type Side, type SideCost, type SideLoad, type SideName } from './side.ts'

const rounds = 5
/** Long enough for the compiler of Node, which sees every side's code anew. */
const warmUpMs = 1500
const firstOperations = 100

/** One load, made by several clients in turns. */
export type Work = {
  readonly title: string
  readonly sides: readonly SideName[]
  readonly spec: SpecInput
  readonly workers: number
  /** Documents in the collection. It is empty before every round where there are none. */
  readonly keys: number
  /** Unit that is counted, and how many of them an operation has. */
  readonly unit: 'op' | 'doc'
  readonly unitsPerOperation: number
  /** How long a round of a side takes, about. */
  readonly roundMs: number
  readonly goals: readonly Goal[]
}

/** Costs of all rounds, per unit. Sides that there are not here have none. */
export type WorkResult = { readonly work: Work; readonly costs: Costs }

/** The rounds of the sides. */
export type Costs = Readonly<Partial<Record<SideName, readonly SideCost[]>>>

/** Starts a side. Undefined: there is none here. */
const starters: Readonly<Record<SideName, (load: SideLoad) => Promise<Side | undefined>>> = {
  driver: (load) => startNodeSide('driver', load),
  wire: (load) => startNodeSide('wire', load),
  'plain sockets': (load) => startNodeSide('plain sockets', load),
  'C loop': startCSide,
  'go-ycsb': startGoYcsb,
}

/** Makes one work by all of its sides that there are. */
export async function measureWork(work: Work, uri: string, client: MongoClient): Promise<WorkResult> {
  const { spec, workers, keys, unitsPerOperation } = work
  await fillCollection(work, client)
  const sides = new Map<SideName, Side>()
  const measure = async (name: SideName, operations: number): Promise<SideCost> => {
    if (keys === 0) await emptyCollection(work, client)
    return await (sides.get(name) as Side).measure(operations)
  }
  try {
    const operations = new Map<SideName, number>()
    for (const name of work.sides) {
      const side = await starters[name]({ uri, spec, workers, keys })
      if (!side) continue
      sides.set(name, side)
      operations.set(name, await warmUp(work, (count) => measure(name, count)))
    }
    const costs = await interleave([...sides.keys()], rounds, async (name) => {
      const { wallUs, cpuUs, ...rest } = await measure(name, operations.get(name) ?? firstOperations)
      return { ...rest, wallUs: wallUs / unitsPerOperation, cpuUs: cpuUs / unitsPerOperation }
    })
    return { work, costs }
  } finally {
    for (const side of sides.values()) await side[Symbol.asyncDispose]()
  }
}

/** @returns How many operations make a round. */
async function warmUp({ roundMs }: Work, measure: (operations: number) => Promise<SideCost>): Promise<number> {
  const endMs = performance.now() + warmUpMs
  let operations = firstOperations
  while (performance.now() < endMs) {
    const { wallUs } = await measure(operations)
    operations = Math.ceil((roundMs * 1000) / wallUs)
  }
  return operations
}

async function emptyCollection({ spec }: Work, client: MongoClient): Promise<void> {
  const db = client.db(database)
  await db.dropDatabase()
  const [data] = compileSpec(spec).dataSets
  await db.createCollection(collection, { ...(data?.spec.options as CreateCollectionOptions | undefined) })
  // What the round before left dirty is written now, not in this one.
  await db.admin().command({ fsync: 1 })
}

async function fillCollection(work: Work, client: MongoClient): Promise<void> {
  const { spec, keys } = work
  await emptyCollection(work, client)
  if (keys === 0) return
  const [data] = compileSpec(spec).dataSets
  const documents = Array.from({ length: keys }, (_, row) => data?.documentOf?.(row).document ?? {})
  await client.db(database).collection(collection).insertMany(documents)
}
