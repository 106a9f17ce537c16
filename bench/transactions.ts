import * as mongodb from 'mongodb'
import { createEngine } from '../src/load/engines/create-engine.ts'
import { clientOptions } from '../src/load/engines/driver/client-options.ts'
import { bundledDriver } from '../src/load/engines/driver/load-driver.ts'
import { type TransactionRunner } from '../src/load/engines/engine.ts'
import { type SpecInput } from '../src/spec/spec-input.ts'
import { type Bench, measureCost, interleave, computeMedian, medianRatio } from './benchmark.ts'
import { type Compiled, compileSpec } from './compiled.ts'
import { startTestMongod } from './start/mongod.ts'
import { runOperations, createUnit } from './unit.ts'

const workers = 4
const rounds = 5
const transactionsPerRound = 500
const accounts = 10_000
const writeConcern = { w: 'majority', wtimeoutMS: 10_000 } as const

type Account = { readonly _id: number; readonly balance: number }

const sides = ['bare driver', 'managed', 'withTransaction'] as const

/**
 * Measures what our runners of transactions cost: two `findOneAndUpdate` and an `insertOne` through a unit of load, beside
 * the same by hand with a session of the driver. In turns against one set of one member; few of them conflict. Shows the CPU
 * of this process per transaction.
 */
export const transactions: Bench = async ({ mongod, print }) => {
  await using server = await startTestMongod(await mongod(), ['--replSet', 'bench'])
  const managed = compileSpec(transfers('managed'))
  const driven = compileSpec(transfers('withTransaction'))
  await using client = new mongodb.MongoClient(server.uri, clientOptions(managed.phase))
  const host = new URL(server.uri).host
  await client.db('admin').command({ replSetInitiate: { _id: 'bench', members: [{ _id: 0, host }] } })
  await primary(client)
  const database = client.db('bench', { writeConcern })
  const documents = Array.from({ length: accounts }, (_, _id) => ({ _id, balance: 1e6 }))
  await database.collection<Account>('accounts').insertMany(documents)
  // There before the first snapshot that is read.
  await database.collection('transfers').insertOne({})
  const unit = ({ phase, dataSets }: Compiled) =>
    createUnit(
      { phase, dataSets },
      createEngine({ kind: 'driver', driver: bundledDriver(), uri: server.uri, database: 'bench', phase }),
    )
  const units = [unit(managed), unit(driven)] as const
  const run = {
    'bare driver': () => byHandInTurns(client),
    managed: () => runOperations(managed, units[0], transactionsPerRound),
    withTransaction: () => runOperations(driven, units[1], transactionsPerRound),
  }
  try {
    for (const { connect } of units) await connect(workers)
    for (const side of sides) await run[side]()
    const measured = await interleave(sides, rounds, (side) => measureCost(run[side], transactionsPerRound))
    for (const side of sides) {
      const cpuUs = computeMedian(measured[side], (cost) => cost.cpuUs)
      const ratio = medianRatio(measured[side], measured['bare driver'], (cost) => cost.cpuUs)
      print(`${side}: ${cpuUs.toFixed(0)} µs CPU/transaction, ${ratio.toFixed(3)} of the bare driver's`)
    }
  } finally {
    for (const { end } of units) await end()
  }
}

async function primary(client: mongodb.MongoClient): Promise<void> {
  while ((await client.db('admin').command({ hello: 1 }))['isWritablePrimary'] !== true)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

async function byHandInTurns(client: mongodb.MongoClient): Promise<void> {
  let number = 0
  const work = async (): Promise<void> => {
    while (number < transactionsPerRound) await byHand(client, number++)
  }
  await Promise.all(Array.from({ length: workers }, work))
}

async function byHand(client: mongodb.MongoClient, number: number): Promise<void> {
  const from = number % (accounts / 2)
  const to = from + accounts / 2
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

/** A key from one half of the accounts. */
const account = (first: number) =>
  ({ '@key': { of: 'accounts', distribution: 'sequential', first, count: accounts / 2 } }) as const

const change = (name: string, by: number) =>
  ({
    kind: 'findOneAndUpdate',
    name: `change-${name}`,
    collection: 'accounts',
    filter: { _id: { '@var': name } },
    update: { $inc: { balance: by } },
  }) as const

/** Transfers between two accounts that no other transaction of the moment takes. */
const transfers = (runner: TransactionRunner): SpecInput => ({
  name: 'bench',
  target: { kind: 'replicaSet', members: 1 },
  data: [
    { collection: 'accounts', rows: accounts, document: { _id: { '@row': {} }, balance: 1_000_000 } },
    { collection: 'transfers' },
  ],
  phases: [
    {
      name: 'transfer',
      load: { kind: 'closed', workers },
      stopAfter: { operations: transactionsPerRound },
      writeConcern,
      operations: [
        {
          kind: 'transaction',
          runner,
          writeConcern,
          let: { from: account(0), to: account(accounts / 2) },
          steps: [
            change('from', -1),
            change('to', 1),
            {
              kind: 'insertOne',
              collection: 'transfers',
              document: { from: { '@var': 'from' }, to: { '@var': 'to' } },
            },
          ],
        },
      ],
    },
  ],
})
