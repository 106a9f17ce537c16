import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { inspect } from 'node:util'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestMongod, type TestMongod } from '../../../../bench/start/mongod.ts'
import { comesTrue, soonMs } from '../../../../bench/start/wait.ts'
import { unpack } from '../../../../src/run/agents/pack.ts'
import { type LiveEvent } from '../../../../src/run/live/live-events.ts'
import { addressOf } from '../../../contract/support/address-of.ts'
import { type AgentSite, agentSite, find, long, shortAndLong, specOf } from '../../../contract/support/agents.ts'
import { type Ended, workplace } from '../../../contract/support/program.ts'
import { startTestRedis, type TestRedis } from '../../../contract/support/redis.ts'
import { fail } from '../../../fakes/fail.ts'

let mongod: TestMongod
let another: TestMongod
let redis: TestRedis
let site: AgentSite
beforeAll(async () => {
  mongod = await startTestMongod(inject('mongodPath'))
  another = await startTestMongod(inject('mongodPath'))
  redis = await startTestRedis()
  site = agentSite(mongod.uri, redis.url)
})
afterAll(async () => {
  await redis[Symbol.asyncDispose]()
  await another[Symbol.asyncDispose]()
  await mongod[Symbol.asyncDispose]()
})

test('the same seed gives the same operations on 1, 2 and 5 agents, and nothing stays in Redis', async () => {
  await using place = await workplace()
  const file = await place.spec(specOf(find({ operations: 3000 })))
  const names: string[] = []
  const digests: (string | undefined)[] = []
  for (const more of [['a'], ['b'], ['c', 'd', 'e']]) {
    names.push(...more)
    await site.startAgents(place, more)
    const ran = await site.startRun(place, file, names.length).ended
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

test('parallel loads run on the same agents, and Ctrl-C ends all of them', async () => {
  await using place = await workplace()
  const loads = [
    { name: 'readers', load: { kind: 'closed', workers: 2 }, operations: find({}).operations },
    {
      name: 'steady',
      load: { kind: 'open', arrivals: 'constant', ratePerSecond: 30 },
      operations: find({}).operations,
    },
  ]
  const mixed = (seconds: number) => specOf({ name: 'mixed', stopAfter: { seconds }, loads })
  await site.startAgents(place, ['left', 'right'])
  expect(await site.startRun(place, await place.spec(mixed(2)), 2).ended).toMatchObject({ code: 0 })
  const phases = (await place.result('from-agents')).variants[0]?.phases ?? []
  expect(phases.map(({ name, threads, parallel }) => [name, threads, parallel?.phase])).toEqual([
    ['readers', 2, 'mixed'],
    ['steady', 2, 'mixed'],
  ])
  expect(phases.map(({ agents }) => agents.map(({ name }) => name))).toEqual([
    ['left', 'right'],
    ['left', 'right'],
  ])
  expect(phases[1]?.operations[0]).toMatchObject({ ok: 60, failed: 0 })
  const run = site.startRun(place, await place.spec(mixed(120)), 2)
  await site.underLoad()
  run.child.kill('SIGINT')
  expect((await run.ended).code).toBe(130)
  expect(await comesTrue(site.loadHasEnded, soonMs)).toBe(true)
  const [variant] = (await place.result('from-agents')).variants
  expect(variant?.phases.map(({ endedBecause }) => endedBecause)).toEqual(['aborted', 'aborted'])
})

test.each([
  { kind: 'findPeak', from: 2, to: 8, secondsPerStep: 0.3, gain: 0, margin: 0.5 },
  { kind: 'findRate', from: 20, to: 30, secondsPerStep: 0.3, holds: ['responseMeanMs < 20000'], maxInFlight: 100 },
])('a $kind search runs each step on all agents, and the longer one that confirms the answer', async (load) => {
  await using place = await workplace()
  const { stopAfter: _stop, ...phase } = find({}, load)
  await site.startAgents(place, ['left', 'right'])
  expect(await site.startRun(place, await place.spec(specOf(phase)), 2).ended).toMatchObject({ code: 0 })
  const [found = fail('no phase')] = (await place.result('from-agents')).variants[0]?.phases ?? []
  const { windows, outcome, operations, agents } = found
  expect(found).toMatchObject({ name: 'find', load: load.kind, threads: 2, endedBecause: 'seconds' })
  expect(windows[0]).toMatchObject({ at: load.from, purpose: 'step', errors: 0 })
  const last = windows.at(-1)
  expect(last).toMatchObject({ purpose: 'confirm', at: outcome?.found })
  expect(last?.seconds).toBeGreaterThanOrEqual(0.6)
  // The figures of the phase are those of its last step, of which each agent has a share.
  expect(operations[0]?.ok).toBe(last?.ok)
  expect(agents.map(({ name }) => name)).toEqual(['left', 'right'])
  expect(agents.reduce((sum, each) => sum + each.operations, 0)).toBe(last?.ok)
  expect(Math.min(...agents.map((each) => each.operations))).toBeGreaterThan(0)
})

test('Ctrl-C ends the phase on all agents and keeps what was measured', async () => {
  await using place = await workplace()
  await site.startAgents(place, ['one', 'two'])
  const run = site.startRun(place, await place.spec(long), 2)
  await site.underLoad()
  run.child.kill('SIGINT')
  expect((await run.ended).code).toBe(130)
  expect(await comesTrue(site.loadHasEnded, soonMs)).toBe(true)
  const [variant] = (await place.result('from-agents')).variants
  expect(variant).toMatchObject({ status: 'aborted', phases: [{ endedBecause: 'aborted' }] })
  expect(variant?.phases[0]?.operations[0]?.ok).toBeGreaterThan(0)
})

test('what watches a run gets what the agents have measured, and a threshold that is missed ends it', async () => {
  await using place = await workplace()
  await site.startAgents(place, ['seen', 'heard'])
  const file = await place.spec({ ...shortAndLong, variants: { seconds: [2, 120] } })
  const outputs = ['--live', '--metrics', '0', '--stream', 'run.ndjson']
  const limits = ['--threshold', 'operations > 1000000000', '--abort-on-threshold']
  const run = site.startRun(place, file, 2, ...outputs, ...limits)
  const [live, metrics] = await Promise.all([addressOf(run, 'live'), addressOf(run, 'metrics')])
  await site.underLoad()
  expect(await (await fetch(live)).text()).toContain('from-agents')
  const scraped = /mongo_perf_operations_total{[^}]*outcome="ok"} [1-9]/
  expect(await comesTrue(async () => scraped.test(await (await fetch(metrics)).text()), soonMs)).toBe(true)
  expect((await run.ended).code).toBe(5)
  const { status, variants } = await place.result('from-agents')
  expect([status, variants.map((variant) => variant.status)]).toEqual(['aborted', ['done']])
  const seconds = (await readFile(path.join(place.folder, 'run.ndjson'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LiveEvent)
    .flatMap((event) => (event.kind === 'second' && event.pass === 'measured' ? event.ok : []))
  expect(seconds.reduce((sum, ok) => sum + ok, 0)).toBe(variants[0]?.phases[0]?.operations[0]?.ok)
})

describe('an agent that could not run a spec is refused by name before anything is loaded or written:', () => {
  const allowed = ['--allow', '$where']
  const where = {
    ...specOf({ ...find({ operations: 50 }), operations: [{ kind: 'findOne', filter: { $where: 'true' } }] }),
    name: 'refused',
    allow: ['$where'],
  }

  const unfit: readonly (readonly [string, () => string, readonly string[], string, number])[] = [
    ['astray', () => another.uri, allowed, 'run-agent-elsewhere', 3],
    ['bare', () => '', allowed, 'run-agent-without-uri', 2],
    ['far', () => 'mongodb://db.invalid', allowed, 'run-agent-remote', 3],
    ['strict', () => mongod.uri, [], 'run-agent-not-allowed', 3],
  ]

  test.each(unfit)('%s', async (name, uri, permissions, message, code) => {
    await using place = await workplace()
    await using queue = await startTestRedis()
    const env = { MONGO_PERF_URI: uri() }
    const agent = place.start(['agent', '--queue', queue.url, '--name', name, ...permissions], env)
    await agent.says('waits for runs')
    const ran = await agentSite(mongod.uri, queue.url).startRun(place, await place.spec(where), 1, ...allowed).ended
    expect(ran.stderr.trimEnd().split('\n').slice(-2)).toSay(message, { agent: name })
    expect(ran.code).toBe(code)
    expect(existsSync(path.join(place.folder, 'mongo-perf-results', 'refused'))).toBe(false)
    agent.child.kill('SIGTERM')
    expect((await agent.ended).stderr).not.toContain('Missing key')
  })
})

test.each([
  ['a wrong password', (url: URL) => void (url.password = 'sesame-4712'), /refuses the user name or the password/],
  ['no password', (url: URL) => void (url.password = ''), /wants a password.*\nhint: .*redis:\/\/:<password>@host/],
  ['another port', (url: URL) => void (url.port = '1'), /no server listens there/],
  ['another host', (url: URL) => void (url.hostname = 'queue.invalid'), /the name of its host is not known/],
  [
    'TLS',
    (url: URL) => void (url.protocol = 'rediss:'),
    /does not answer\nhint: .*With rediss:\/\/ .* TLS on that port/,
  ],
])(
  'a queue that cannot be reached is named within seconds, with the reason and a hint: %s',
  async (_what, change, reason) => {
    await using place = await workplace()
    await using queue = await startTestRedis(['--requirepass', 'sesame-4711'], ':sesame-4711@')
    const url = new URL(queue.url)
    change(url)
    for (const command of ['agents', 'agent']) {
      const { code, stderr } = await place.run([command, '--queue', url.href])
      expect(stderr).toMatch(reason)
      expect(stderr).not.toMatch(/sesame/)
      expect(code).toBe(4)
    }
  },
)

/** The bytes of an argument as Redis shows it: what is no letter is spelled out. */
const bytesOf = (shown: string): Buffer =>
  Buffer.from(
    shown.replaceAll(/\\(?:x([\da-f]{2})|(.))/g, (_all, hex: string | undefined, letter: string) =>
      hex === undefined
        ? ({ n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b' }[letter] ?? letter)
        : String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  )

/** What agents and runs have sent each other through the queue. */
function payloadsIn(monitored: readonly (readonly string[])[]): readonly unknown[] {
  return monitored.flatMap((args) => {
    const [, request] = /"request":"([\w+/=]+)"/.exec(args.join(' ')) ?? []
    const reply = args[0]?.toLowerCase() === 'xadd' && args.at(-2) === 'reply' ? args.at(-1) : undefined
    return [
      ...(request === undefined ? [] : [unpack(Buffer.from(request, 'base64'))]),
      ...(reply === undefined ? [] : [unpack(bytesOf(reply))]),
    ]
  })
}

test('passwords and addresses are in no output and in nothing that passes the queue, also when an agent fails', async () => {
  await using place = await workplace()
  await using admin = new MongoClient(mongod.uri)
  await admin.db('admin').command({ createUser: 'load', pwd: 'secret-0815', roles: ['root'] })
  const uri = mongod.uri.replace('mongodb://', 'mongodb://load:secret-0815@')
  await using queue = await startTestRedis(['--requirepass', 'sesame-4711'], ':sesame-4711@')
  // Before others send anything: the client takes what comes together with its first answer for an answer.
  const monitored: (readonly string[])[] = []
  const monitor = await queue.client.monitor()
  monitor.on('monitor', (_time: string, args: readonly string[]) => void monitored.push(args))
  const file = await place.spec(specOf(find({ operations: 100 })))
  const outputs: Ended[] = []
  async function runWith(name: string, MONGO_PERF_URI: string): Promise<void> {
    const env = { MONGO_PERF_URI }
    const agent = place.start(['agent', '--queue', queue.url, '--name', name, '--threads', '1'], env)
    await agent.says('waits for runs')
    outputs.push(await place.run(['run', file, '--uri', uri, '--agents', queue.url, '--log-level', 'trace']))
    agent.child.kill('SIGTERM')
    outputs.push(await agent.ended)
  }
  await runWith('discreet', uri)
  await runWith('failing', uri.replace(/:\d+\//, ':1/'))
  monitor.disconnect()
  expect(outputs.map(({ code }) => code)).toEqual([0, 0, 4, 0])
  for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toMatch(/sesame|secret-0815/)
  expect(outputs[2]?.stderr.replace(/(?<=used: ).*/, 'REASON')).toHaveLine('run-agent-server-unusable', {
    agent: 'failing',
  })
  const payloads = payloadsIn(monitored)
  const kinds = new Set(payloads.map((payload) => (payload as { readonly kind: string }).kind))
  expect(kinds).toEqual(
    new Set(['check', 'prepare', 'connect', 'run', 'close', 'end', 'done', 'prepared', 'part', 'ran', 'failed']),
  )
  const passed = inspect([payloads, monitored], { depth: 20, maxArrayLength: null, maxStringLength: null })
  for (const secret of [/secret-0815/, /sesame-4711/, /mongodb:\/\//, new RegExp(new URL(mongod.uri).host)])
    expect(secret.exec(passed)?.[0]).toBe(undefined)
})
