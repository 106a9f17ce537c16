import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { unpack } from '../../../src/agents/pack.ts'
import { startTestMongod, type TestMongod } from '../start-mongod.ts'
import { type RunningProgram, type Workplace, workplace } from '../support/program.ts'
import { startTestRedis, type TestRedis } from '../support/redis.ts'
import { comesTrue } from '../support/wait.ts'

let mongod: TestMongod
let redis: TestRedis
beforeAll(async () => {
  mongod = await startTestMongod(inject('mongodPath'))
  redis = await startTestRedis()
})
afterAll(async () => {
  await redis[Symbol.asyncDispose]()
  await mongod[Symbol.asyncDispose]()
})

/** What is noticed within 15 s may take longer on a machine that is busy. */
const soonMs = 60_000

const find = (stopAfter: object, load: object = { kind: 'closed', workers: 6 }) => ({
  name: 'find',
  load,
  stopAfter,
  operations: [{ kind: 'findOne', filter: { _id: { '@key': {} } } }],
})

const specOf = (...phases: readonly object[]) => ({
  name: 'from-agents',
  target: { kind: 'existing' },
  data: { collection: 'c', rows: 200, document: { _id: { '@row': {} }, n: 1 } },
  phases,
})

const long = specOf(find({ seconds: 120 }))

async function startAgents(place: Workplace, names: readonly string[], env: Record<string, string> = {}) {
  const agents = names.map((name) =>
    place.start(['agent', '--queue', redis.url, '--name', name, '--threads', '1'], {
      MONGO_PERF_URI: mongod.uri,
      ...env,
    }),
  )
  await Promise.all(agents.map((agent) => agent.says('waits for runs')))
  return agents
}

const startRun = (place: Workplace, file: string, minAgents: number, ...more: readonly string[]): RunningProgram =>
  place.start(['run', file, '--uri', mongod.uri, '--agents', redis.url, '--min-agents', String(minAgents), ...more])

/** What the server has done so far. */
async function counted(what: 'query' | 'insert'): Promise<number> {
  await using client = new MongoClient(mongod.uri)
  const { opcounters } = await client.db('admin').command({ serverStatus: 1 })
  return Number((opcounters as Record<string, number>)[what])
}

const queries = (): Promise<number> => counted('query')

/** Whether the server has answered nothing more since the last look, but one look after the other. */
async function loadHasEnded(): Promise<boolean> {
  const before = await queries()
  return !(await comesTrue(async () => (await queries()) - before >= 10, 300))
}

const underLoad = async (): Promise<void> => {
  expect(await comesTrue(async () => !(await loadHasEnded()), soonMs)).toBe(true)
}

test('the same seed gives the same operations on 1, 2 and 5 agents, and nothing stays in Redis', async () => {
  await using place = await workplace()
  const file = await place.spec(specOf(find({ operations: 3000 })))
  const names: string[] = []
  const digests: (string | undefined)[] = []
  for (const more of [['a'], ['b'], ['c', 'd', 'e']]) {
    names.push(...more)
    await startAgents(place, more)
    const ran = await startRun(place, file, names.length).ended
    expect(ran).toMatchObject({ code: 0 })
    const phase = (await place.result('from-agents')).variants[0]?.phases[0]
    expect(phase?.agents.map(({ name }) => name)).toEqual(names)
    expect(phase?.operations[0]).toMatchObject({ ok: 3000, failed: 0, latency: { ok: { count: 3000 } } })
    expect(phase?.agents.reduce((sum, { operations }) => sum + operations, 0)).toBe(3000)
    expect(phase?.threads).toBe(names.length)
    expect(ran.stdout).toContain('### Agents')
    digests.push(phase?.digest)
    // The agents take out theirs at the same time as the run, and may be a moment later.
    expect(await comesTrue(async () => (await redis.keys()).length === 0, soonMs)).toBe(true)
  }
  expect(new Set(digests).size).toBe(1)
  expect(digests[0]).toMatch(/-3000$/)
  const idle = async (): Promise<number> =>
    (await place.run(['agents', '--queue', redis.url])).stdout.match(/^[a-e]: 1 thread, .*, idle$/gm)?.length ?? 0
  expect(await comesTrue(async () => (await idle()) === 5, soonMs)).toBe(true)
})

test('an agent that is killed ends the phase with a reason, the other stops, and --resume runs the rest', async () => {
  await using place = await workplace()
  const file = await place.spec({
    ...specOf(find({ seconds: { '@param': 'seconds' } })),
    variants: { seconds: [1, 120] },
  })
  const [victim, other] = await startAgents(place, ['victim', 'other'])
  const run = startRun(place, file, 2)
  await run.says('[2/2]')
  await underLoad()
  victim?.child.kill('SIGKILL')
  const { code, stderr } = await run.ended
  expect(stderr).toMatch(/The agent victim (is gone|has not handed over)/)
  expect(code).toBe(4)
  expect(await comesTrue(loadHasEnded, soonMs)).toBe(true)
  await other?.says('Left the run')
  expect((await place.result('from-agents')).variants.map(({ status }) => status)).toEqual(['done', 'failed'])
  expect(await comesTrue(async () => (await redis.keys()).length === 0, soonMs)).toBe(true)

  const resumed = startRun(place, file, 1, '--resume')
  await resumed.says('[2/2]')
  await underLoad()
  resumed.child.kill('SIGINT')
  expect((await resumed.ended).code).toBe(130)
  expect((await place.result('from-agents')).variants[0]).toMatchObject({ status: 'done' })
})

test('an agent that is killed while data is loaded ends the load, with its name', async () => {
  await using place = await workplace()
  const rows = 50_000_000
  const file = await place.spec({ ...long, data: { ...long.data, rows } })
  const [, victim] = await startAgents(place, ['other', 'victim'])
  const before = await counted('insert')
  const run = startRun(place, file, 2)
  expect(await comesTrue(async () => (await counted('insert')) > before + 1000, soonMs)).toBe(true)
  victim?.child.kill('SIGKILL')
  const { code, stderr } = await run.ended
  expect(stderr).toContain('The agent victim is gone')
  expect(code).toBe(4)
  expect((await counted('insert')) - before).toBeLessThan(rows)
})

test('with agents, a missed threshold ends the phase, and its seconds are streamed', async () => {
  await using place = await workplace()
  await startAgents(place, ['first', 'second'])
  const file = await place.spec({ ...long, thresholds: ['findOne.operations < 500'] })
  const ran = await startRun(place, file, 2, '--abort-on-threshold', '--stream', path.join(place.folder, 'seconds'))
    .ended
  expect(ran.code).toBe(5)
  const events = (await readFile(path.join(place.folder, 'seconds'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly kind: string })
  expect(events.map(({ kind }) => kind)).toContain('second')
})

test('agents whose coordinator is killed stop sending, and serve the next run', async () => {
  await using place = await workplace()
  const file = await place.spec(long)
  const [agent] = await startAgents(place, ['faithful'])
  const run = startRun(place, file, 1)
  await underLoad()
  run.child.kill('SIGKILL')
  await agent?.says('Left the run')
  expect(await comesTrue(loadHasEnded, soonMs)).toBe(true)
  const next = startRun(place, await place.spec({ ...specOf(find({ operations: 100 })), name: 'next' }), 1)
  expect(await next.ended).toMatchObject({ code: 0 })
  expect(await comesTrue(async () => (await redis.keys()).length === 0, soonMs)).toBe(true)
})

test('without Redis the run ends with a reason, and agents stop sending', async () => {
  await using place = await workplace()
  await using queue = await startTestRedis()
  const env = { MONGO_PERF_URI: mongod.uri }
  const agent = place.start(['agent', '--queue', queue.url, '--name', 'cut off', '--threads', '1'], env)
  const run = place.start(['run', await place.spec(long), '--uri', mongod.uri, '--agents', queue.url])
  await underLoad()
  await queue.kill()
  const { code, stderr } = await run.ended
  expect(stderr).toContain('The queue of the agents has not answered for 8 s')
  expect(code).toBe(4)
  await agent.says('Left the run')
  expect(await comesTrue(loadHasEnded, soonMs)).toBe(true)
})

test('Ctrl-C ends the phase on all agents and keeps what was measured', async () => {
  await using place = await workplace()
  await startAgents(place, ['one', 'two'])
  const run = startRun(place, await place.spec(long), 2)
  await underLoad()
  run.child.kill('SIGINT')
  expect((await run.ended).code).toBe(130)
  expect(await comesTrue(loadHasEnded, soonMs)).toBe(true)
  const [variant] = (await place.result('from-agents')).variants
  expect(variant).toMatchObject({ status: 'aborted', phases: [{ endedBecause: 'aborted' }] })
  expect(variant?.phases[0]?.operations[0]?.ok).toBeGreaterThan(0)
})

test('an agent with the URI of another deployment is refused by name', async () => {
  await using place = await workplace()
  await using another = await startTestMongod(inject('mongodPath'))
  await startAgents(place, ['astray'], { MONGO_PERF_URI: another.uri })
  const { code, stderr } = await startRun(place, await place.spec(long), 1).ended
  expect(stderr).toContain('The URI of the agent astray leads to another deployment')
  expect(code).toBe(3)
})

test('the password of the queue is in no output, and in none the URI of the server', async () => {
  await using place = await workplace()
  await using queue = await startTestRedis(['--requirepass', 'sesame-4711'], ':sesame-4711@')
  // Before others send anything: the client takes what comes together with its first answer for an answer.
  const monitored: string[] = []
  const monitor = await queue.client.monitor()
  monitor.on('monitor', (_time: string, args: readonly string[]) => void monitored.push(args.join(' ')))
  const env = { MONGO_PERF_URI: mongod.uri }
  const agent = place.start(['agent', '--queue', queue.url, '--name', 'discreet', '--threads', '1'], env)
  await agent.says('waits for runs')
  const file = await place.spec(specOf(find({ operations: 100 })))
  const ran = await place.run(['run', file, '--uri', mongod.uri, '--agents', queue.url, '--log-level', 'trace'])
  monitor.disconnect()
  const wrong = await place.run(['agents', '--queue', queue.url.replace('4711', '4712')])
  agent.child.kill('SIGTERM')
  const served = await agent.ended
  expect([ran.code, served.code, wrong.code]).toEqual([0, 0, 4])
  for (const { stdout, stderr } of [ran, wrong, served]) expect(stdout + stderr).not.toMatch(/sesame/)
  expect(monitored.length).toBeGreaterThan(10)
  const requests = monitored
    .flatMap((text) => text.match(/(?<="request":")[\w+/=]+/g) ?? [])
    .map((request) => JSON.stringify(unpack(Buffer.from(request, 'base64'))))
  expect(requests.join('\n')).toContain('"kind":"prepare"')
  for (const text of [...monitored, ...requests]) expect(text).not.toContain(new URL(mongod.uri).host)
  expect(wrong.stderr).toContain('it refuses the user name or the password')
})
