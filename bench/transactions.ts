import * as mongodb from 'mongodb'
import { type Concerns } from '../src/engines/concerns.ts'
import { noArguments, type ValueArguments } from '../src/engines/intent.ts'
import { createEngine } from '../src/engines/create-engine.ts'
import { clientOptions } from '../src/engines/driver/client-options.ts'
import { ourDriver } from '../src/engines/driver/load-driver.ts'
import {
  type Call,
  type EngineMethod,
  type PhaseEngine,
  type StepCall,
  type TransactionRunner,
} from '../src/engines/engine.ts'
import { type MethodPlan, type PhasePlan } from '../src/plan/plan.ts'
import { fakeOperation, fakePhase } from '../test/fakes/fake-calls.ts'
import { startTestMongod } from '../test/integration/start-mongod.ts'
import { type Bench, median } from './benchmark.ts'

const workers = 4
const rounds = 5
const transactionsPerRound = 500
const accounts = 10_000

type Account = { readonly _id: number; readonly balance: number }
type Side = { readonly name: string; readonly send: (number: number) => Promise<unknown>; readonly cpuUs: number[] }

/**
 * What our runners of transactions cost: two `findOneAndUpdate` and an `insertOne` through the engine, beside the same by hand
 * with a session of the driver. In turns against one set of one member; few of them meet each other. Told is the CPU of this
 * process per transaction.
 */
export const transactions: Bench = async ({ mongod, print }) => {
  await using server = await startTestMongod(await mongod(), ['--replSet', 'bench'])
  const plans = { managed: plan('managed'), withTransaction: plan('withTransaction') }
  await using client = new mongodb.MongoClient(server.uri, clientOptions(plans.managed))
  const host = new URL(server.uri).host
  await client.db('admin').command({ replSetInitiate: { _id: 'bench', members: [{ _id: 0, host }] } })
  await primary(client)
  const database = client.db('bench', { writeConcern })
  const rows = Array.from({ length: accounts }, (_, _id) => ({ _id, balance: 1e6 }))
  await database.collection<Account>('accounts').insertMany(rows)
  // There before the first snapshot that is read.
  await database.collection('transfers').insertOne({})
  const engines = Object.values(plans).map((phase) =>
    createEngine({ kind: 'driver', driver: ourDriver(), uri: server.uri, database: 'bench', phase }),
  )
  try {
    for (const engine of engines) await engine.warmUp()
    const [managed, driven] = engines as [PhaseEngine, PhaseEngine]
    await compare(
      [
        side('bare driver', (number) => byHand(client, number)),
        side('managed', (number) => managed.send(callOf(number))),
        side('withTransaction', (number) => driven.send(callOf(number))),
      ],
      print,
    )
  } finally {
    for (const engine of engines) await engine.close()
  }
}

const side = (name: string, send: Side['send']): Side => ({ name, send, cpuUs: [] })

async function primary(client: mongodb.MongoClient): Promise<void> {
  while ((await client.db('admin').command({ hello: 1 }))['isWritablePrimary'] !== true)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

async function compare(sides: readonly Side[], print: (line: string) => void): Promise<void> {
  let number = 0
  const runAll = async (send: Side['send']): Promise<void> => {
    const until = number + transactionsPerRound
    const work = async (): Promise<void> => {
      while (number < until) await send(number++)
    }
    await Promise.all(Array.from({ length: workers }, work))
  }
  for (const { send } of sides) await runAll(send)
  for (let round = 0; round < rounds; round++) {
    for (const { send, cpuUs } of round % 2 === 0 ? sides : sides.toReversed()) {
      const before = process.cpuUsage()
      await runAll(send)
      const { user, system } = process.cpuUsage(before)
      cpuUs.push((user + system) / transactionsPerRound)
    }
  }
  const bare = median(sides[0]?.cpuUs ?? [])
  for (const { name, cpuUs } of sides)
    print(
      `${name.padEnd(16)} ${median(cpuUs).toFixed(0).padStart(8)} µs CPU/transaction ${(median(cpuUs) / bare).toFixed(3).padStart(8)}`,
    )
}

const writeConcern = { w: 'majority', wtimeoutMS: 10_000 } as const

/** Two accounts that no other transaction of the moment takes. */
const pairOf = (number: number): readonly [number, number] => [(number * 2) % accounts, (number * 2 + 1) % accounts]

async function byHand(client: mongodb.MongoClient, number: number): Promise<void> {
  const [from, to] = pairOf(number)
  const collection = client.db('bench').collection<Account>('accounts')
  const session = client.startSession({ causalConsistency: false })
  try {
    session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern, readPreference: 'primary' })
    const options = { session, includeResultMetadata: true } as const
    await collection.findOneAndUpdate({ _id: from }, { $inc: { balance: -1 } }, options)
    await collection.findOneAndUpdate({ _id: to }, { $inc: { balance: 1 } }, options)
    await client.db('bench').collection('transfers').insertOne({ from, to }, { session })
    await session.commitTransaction()
  } finally {
    await session.endSession()
  }
}

const step =
  (args: ValueArguments): StepCall =>
  () => ({ args: { ...args, options: noOptions }, bytes: 0 })

function callOf(number: number): Call {
  const [from, to] = pairOf(number)
  return {
    operation: 0,
    args: noArguments,
    bytes: 0,
    steps: [
      step({ filter: { _id: from }, update: { $inc: { balance: -1 } } }),
      step({ filter: { _id: to }, update: { $inc: { balance: 1 } } }),
      step({ document: { from, to } }),
    ],
  }
}

const noOptions = Object.freeze({})

function plan(runner: TransactionRunner): PhasePlan {
  const concerns: Concerns = { readConcern: { level: 'snapshot' }, writeConcern, readPreference: { mode: 'primary' } }
  const change = method({ kind: 'findOneAndUpdate', reply: 'findAndModify', collection: 'accounts' })
  const insert = method({ kind: 'insertOne', reply: 'insert', collection: 'transfers' })
  return fakePhase({
    workers,
    deadlineMs: 30_000,
    ...concerns,
    operations: [
      {
        name: 'transfer',
        kind: 'transaction',
        steps: [change, change, insert],
        transaction: { runner, maxAttempts: null, ...concerns },
      },
    ],
    calls: () => ({ next: () => ({ ...callOf(0), documents: 0, number: 0 }), digest: () => '' }),
  })
}

const method = (known: Pick<EngineMethod, 'kind' | 'reply' | 'collection'>): MethodPlan =>
  fakeOperation({ ...known, name: known.kind })
