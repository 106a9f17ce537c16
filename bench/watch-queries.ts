import { MongoClient } from 'mongodb'
import { type TestBody, type TestRunner, type WrapTest } from '../src/verdicts/testing/watch/runners.ts'
import { watchQueriesIn } from '../src/verdicts/testing/watch/watch-queries.ts'
import { type Bench, computeMedian, type Cost, measureCost } from './benchmark.ts'
import { startTestMongod } from './start/mongod.ts'

const rounds = 15
const quickRounds = 3
const callsPerRound = 4000

/**
 * CPU time that a watched call takes more: `findOne` one after the other in a test, with what the driver takes to report its commands, and Node.js to keep
 * the context of a test. Goal: below 20 µs. Node.js before 24 misses it by hooks on each of the 84 promises of a call; a variable in place of a
 * context would count work that was begun outside of tests.
 */
export const watchQueriesBench: Bench = async ({ mongod, print, quick }) => {
  await using server = await startTestMongod(await mongod())
  await using plain = new MongoClient(server.uri)
  await using monitored = new MongoClient(server.uri, { monitorCommands: true })
  await using watched = new MongoClient(server.uri)
  await plain.db('bench').collection('orders').insertOne({ number: 1, customer: 'one' })
  const measure = async (side: string, body: TestBody): Promise<number> => {
    const costs: Cost[] = []
    await body()
    for (let round = 0; round < (quick ? quickRounds : rounds); round++)
      costs.push(await measureCost(async () => await body(), callsPerRound))
    const cpuUs = computeMedian(costs, (cost) => cost.cpuUs)
    print(`${side}: ${cpuUs.toFixed(1)} µs CPU a call`)
    return cpuUs
  }
  const before = await measure('not watched', () => findOrders(plain))
  const reporting = await measure('not watched, with monitorCommands', () => findOrders(monitored))
  const runner: TestRunner = { watchTests: (wrap) => void wraps.push(wrap), atEnd: () => {} }
  const wraps: WrapTest[] = []
  // The plan of its only shape is asked for once a round.
  watchQueriesIn(runner, watched, { report: true })
  const during = await measure('watched', wraps[0]?.('bench', () => findOrders(watched)) ?? (() => 'not watched'))
  print(
    `watching costs ${(during - before).toFixed(1)} µs a call, ${(during - reporting).toFixed(1)} µs more than monitorCommands`,
  )
}

async function findOrders(client: MongoClient): Promise<void> {
  const orders = client.db('bench').collection('orders')
  for (let call = 0; call < callsPerRound; call++) await orders.findOne({ number: call, customer: 'one' })
}
