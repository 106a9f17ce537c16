import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startTestMongod, type TestMongod } from '../../../../bench/start/mongod.ts'
import { comesTrue, soonMs } from '../../../../bench/start/wait.ts'
import {
  type AgentSite,
  agentSite,
  find,
  long,
  lostAgent,
  shortAndLong,
  specOf,
} from '../../../contract/support/agents.ts'
import { workplace } from '../../../contract/support/program.ts'
import { startTestRedis, type TestRedis } from '../../../contract/support/redis.ts'

let mongod: TestMongod
let redis: TestRedis
let site: AgentSite
beforeAll(async () => {
  mongod = await startTestMongod(inject('mongodPath'))
  redis = await startTestRedis()
  site = agentSite(mongod.uri, redis.url)
})
afterAll(async () => {
  await redis[Symbol.asyncDispose]()
  await mongod[Symbol.asyncDispose]()
})

test('an agent that is killed ends the phase with a reason, the other stops, and --resume runs the rest', async () => {
  await using place = await workplace()
  const file = await place.spec(shortAndLong)
  const [victim, other] = await site.startAgents(place, ['victim', 'other'])
  const run = site.startRun(place, file, 2)
  await run.says('[2/2]')
  await site.underLoad()
  victim?.child.kill('SIGKILL')
  const { code, stderr } = await run.ended
  expect(stderr).toMatch(lostAgent('victim'))
  expect(code).toBe(4)
  expect(await comesTrue(site.loadHasEnded, soonMs)).toBe(true)
  await other?.says('Left the run')
  expect((await place.result('from-agents')).variants.map(({ status }) => status)).toEqual(['done', 'failed'])
  expect(await comesTrue(async () => (await redis.keys()).length === 0, soonMs)).toBe(true)

  const resumed = site.startRun(place, file, 1, '--resume')
  await resumed.says('[2/2]')
  await site.underLoad()
  resumed.child.kill('SIGINT')
  expect((await resumed.ended).code).toBe(130)
  expect((await place.result('from-agents')).variants[0]).toMatchObject({ status: 'done' })
})

test('agents whose coordinator is killed stop sending, and serve the next run', async () => {
  await using place = await workplace()
  const [agent] = await site.startAgents(place, ['faithful'])
  const run = site.startRun(place, await place.spec(shortAndLong), 1)
  // Of the first row, notices may be there still.
  await run.says('[2/2]')
  await site.underLoad()
  run.child.kill('SIGKILL')
  await agent?.says('Left the run')
  expect(await comesTrue(site.loadHasEnded, soonMs)).toBe(true)
  expect(await comesTrue(async () => (await redis.keys()).length === 0, soonMs)).toBe(true)
  const next = site.startRun(place, await place.spec({ ...specOf(find({ operations: 100 })), name: 'next' }), 1)
  expect(await next.ended).toMatchObject({ code: 0 })
  expect(await comesTrue(async () => (await redis.keys()).length === 0, soonMs)).toBe(true)
})

test('without Redis the run ends with a reason, and agents stop sending', async () => {
  await using place = await workplace()
  await using queue = await startTestRedis()
  const env = { MONGO_PERF_URI: mongod.uri }
  const agent = place.start(['agent', '--queue', queue.url, '--name', 'cut off', '--threads', '1'], env)
  const run = place.start(['run', await place.spec(long), '--uri', mongod.uri, '--agents', queue.url])
  await site.underLoad()
  await queue.kill()
  const { code, stderr } = await run.ended
  expect(stderr).toHaveLine('run-queue-silent', { seconds: 8 })
  expect(code).toBe(4)
  await agent.says('Left the run')
  expect(await comesTrue(site.loadHasEnded, soonMs)).toBe(true)
})

test('an agent that stands still ends the phase with its name', async () => {
  await using place = await workplace()
  const [agent] = await site.startAgents(place, ['asleep', 'awake'])
  const run = site.startRun(place, await place.spec(long), 2)
  await site.underLoad()
  agent?.child.kill('SIGSTOP')
  const { code, stderr } = await run.ended
  expect(stderr).toMatch(lostAgent('asleep'))
  expect(code).toBe(4)
  expect(await comesTrue(site.loadHasEnded, soonMs)).toBe(true)
  agent?.child.kill('SIGCONT')
  await agent?.says('Left the run')
})

test('an agent that is stopped says so, and leaves nothing behind', async () => {
  await using place = await workplace()
  const [agent] = await site.startAgents(place, ['leaving'])
  const run = site.startRun(place, await place.spec(long), 1)
  await site.underLoad()
  agent?.child.kill('SIGTERM')
  const { code, stderr } = await run.ended
  expect(stderr).toHaveLine('run-agent-stopped', { agent: 'leaving' })
  expect(code).toBe(4)
  expect((await agent?.ended)?.stderr).not.toContain('could not')
  expect(await comesTrue(async () => (await redis.keys()).length === 0, soonMs)).toBe(true)
})

test('agents that are lost while data is loaded end the load', async () => {
  await using place = await workplace()
  const [agent] = await site.startAgents(place, ['early'])
  const data = { ...long.data, rows: 50_000_000 }
  const run = site.startRun(place, await place.spec({ ...long, name: 'loading', data }), 1)
  await using client = new MongoClient(mongod.uri)
  const loaded = client.db('mongoperf_loading').collection('c')
  expect(await comesTrue(async () => (await loaded.estimatedDocumentCount()) > 0, soonMs)).toBe(true)
  agent?.child.kill('SIGTERM')
  const { code, stderr } = await run.ended
  expect(stderr).toHaveLine('run-agent-stopped', { agent: 'early' })
  expect(code).toBe(4)
})

test('a queue that comes back with its data within seconds ends nothing', async () => {
  await using place = await workplace()
  await using queue = await startTestRedis(['--appendonly', 'yes', '--appendfsync', 'always'])
  const restarted = agentSite(mongod.uri, queue.url)
  await restarted.startAgents(place, ['patient'])
  const run = restarted.startRun(place, await place.spec(specOf(find({ seconds: 8 }))), 1)
  await restarted.underLoad()
  await queue.kill()
  await queue.startAgain()
  const { code, stderr } = await run.ended
  expect(stderr).not.toContain('error:')
  expect(code).toBe(0)
  expect((await place.result('from-agents')).variants[0]).toMatchObject({ status: 'done' })
})
