import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startTestMongod, type TestMongod } from '../../../../bench/start/mongod.ts'
import { comesTrue, soonMs } from '../../../../bench/start/wait.ts'
import { systemClock } from '../../../../src/core/clock.ts'
import { findFreePort } from '../../../../src/servers/targets/server/process/server-process.ts'
import { recordProxy } from '../../../../src/traffic/record/record-proxy.ts'
import { type AgentSite, agentSite, lostAgent } from '../../../contract/support/agents.ts'
import { type Workplace, workplace } from '../../../contract/support/program.ts'
import { startTestRedis, type TestRedis } from '../../../contract/support/redis.ts'

let mongod: TestMongod
let redis: TestRedis
let site: AgentSite
let client: MongoClient
beforeAll(async () => {
  mongod = await startTestMongod(inject('mongodPath'))
  redis = await startTestRedis()
  site = agentSite(mongod.uri, redis.url)
  client = new MongoClient(mongod.uri)
})
afterAll(async () => {
  await client.close()
  await redis[Symbol.asyncDispose]()
  await mongod[Symbol.asyncDispose]()
})

type Order = { _id: number; customer: number }

/** The data that the applications begin with. */
async function restore(): Promise<void> {
  await client.db('shop').dropDatabase()
  const orders = Array.from({ length: 300 }, (_, _id) => ({ _id, customer: _id % 3 }))
  await client.db('shop').collection<Order>('orders').insertMany(orders)
}

const applications = 3
const rounds = 20

/** One of several applications, over connections of its own: cursors of several batches, and writes of its own orders. */
async function shop(uri: string, customer: number): Promise<void> {
  await using app = new MongoClient(uri)
  const orders = app.db('shop').collection<Order>('orders')
  for (let i = 0; i < rounds; i++)
    await Promise.all([
      orders.find({ customer, _id: { $lt: 300 } }, { batchSize: 40, sort: { _id: 1 } }).toArray(),
      orders.insertOne({ _id: 1000 * (customer + 1) + i, customer }),
    ])
}

async function record(place: Workplace): Promise<string> {
  const file = path.join(place.folder, 'shop.mprec')
  const stop = new AbortController()
  const listen = { host: '127.0.0.1', port: await findFreePort() }
  let recording: Promise<unknown> = Promise.resolve()
  await new Promise<void>((resolve, reject) => {
    const options = { file, uri: mongod.uri, listen, tls: undefined, values: 'keep' as const, maxMs: Infinity }
    recording = recordProxy({ ...options, clock: systemClock, signal: stop.signal, log: () => resolve() })
    recording.catch(reject)
  })
  const uri = `mongodb://127.0.0.1:${listen.port}/?directConnection=true&maxPoolSize=2`
  await Promise.all(Array.from({ length: applications }, (_, customer) => shop(uri, customer)))
  stop.abort()
  await recording
  return file
}

const startAgent = async (place: Workplace, name: string, ...more: readonly string[]) => {
  const args = ['agent', '--queue', redis.url, '--name', name, '--threads', '1', ...more]
  const agent = place.start(args, { MONGO_PERF_URI: mongod.uri })
  await agent.says('waits for runs')
  return agent
}

const countOrders = (): Promise<number> => client.db('shop').collection('orders').countDocuments()

test('two agents replay shares of a recording, with the replies, counts and data of one process', async () => {
  await using place = await workplace()
  await restore()
  const file = await record(place)
  const orders = await countOrders()
  const replay = ['replay', file, '--uri', mongod.uri, '--allow-writes', '--compare-documents', '--format', 'text']
  const measured = async () => (await place.result('replay-shop')).variants[0]?.phases[0]

  await restore()
  expect(await place.run([...replay, '--speed', 'max'])).toMatchObject({ code: 0 })
  const alone = await measured()
  expect(alone).toMatchObject({ agents: [], columns: { differing: 0, notSent: 0 } })

  await startAgent(place, 'left', '--allow-writes', 'shop')
  await startAgent(place, 'right', '--allow-writes', 'shop', '--threads', '2')
  for (const speed of ['max', '2']) {
    await restore()
    const agents = ['--agents', redis.url, '--min-agents', '2', '--speed', speed]
    const { code, stdout, stderr } = await place.start([...replay, ...agents]).ended
    expect(stderr + (code === 0 ? '' : stdout)).not.toContain('error')
    expect(code).toBe(0)
    const phase = await measured()
    expect(phase?.agents.map(({ name, shares, ofShares }) => [name, shares, ofShares])).toEqual([
      ['left', 1, 3],
      ['right', 2, 3],
    ])
    expect(phase?.agents.every(({ operations }) => operations > rounds)).toBe(true)
    expect(phase).toMatchObject({ digest: alone?.digest, columns: { differing: 0, notSent: 0 } })
    const sent = (of: typeof phase) => of?.operations.map(({ name, ok, failed }) => ({ name, ok, failed }))
    expect(sent(phase)).toEqual(sent(alone))
    expect(phase?.columns?.['recordedCalls']).toBe(alone?.columns?.['recordedCalls'])
    expect(await countOrders()).toBe(orders)
    const isTimed = /\d+ of \d+ calls went out more than 1 ms late/.test(stdout.replaceAll('\n', ' '))
    expect(isTimed).toBe(speed === '2')
  }
  const left = async () => (await readdir(place.temp)).filter((name) => name.startsWith('mongo-perf-agent'))
  expect(await comesTrue(async () => (await left()).length === 0, soonMs)).toBe(true)
  expect(await comesTrue(async () => (await redis.keys()).length === 0, soonMs)).toBe(true)
})

test('agents decide what is written, idle ones are named, and one that dies ends the replay', async () => {
  await using place = await workplace()
  await restore()
  const file = await record(place)
  const replay = ['replay', file, '--uri', mongod.uri, '--agents', redis.url]
  const [strict] = [await startAgent(place, 'strict'), await startAgent(place, 'lenient', '--allow-writes', 'shop')]

  const refused = await place.start([...replay, '--min-agents', '2', '--allow-writes']).ended
  expect(refused.stderr).toHaveLine('replay-agent-may-not-write', { calls: applications * rounds })
  expect(refused.code).toBe(3)

  const reads = [...replay, '--only', 'find', '--min-agents', '2']
  const one = await place.start([...reads, '--speed', 'max', '--connections', '1']).ended
  expect(one).toMatchObject({ code: 0, stderr: expect.toHaveLine('replay-agents-idle') })
  const phase = (await place.result('replay-shop')).variants[0]?.phases[0]
  expect(phase?.agents.map(({ ofShares }) => ofShares)).toEqual([1])

  const run = place.start([...reads, '--speed', '0.001'])
  await run.says('load from 2 agents')
  strict?.child.kill('SIGKILL')
  const { code, stderr } = await run.ended
  expect(stderr).toMatch(lostAgent('strict'))
  expect(code).toBe(4)
  expect(await comesTrue(site.loadHasEnded, soonMs)).toBe(true)
})
