import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { MongoClient } from 'mongodb'
import { systemClock } from '../src/core/clock.ts'
import { type Result } from '../src/results/schema.ts'
import { listAgents } from '../src/run/agents/list-agents.ts'
import { thisMachine } from '../src/servers/machine.ts'
import { toDatabaseName } from '../src/servers/targets/ownership.ts'
import { findRedis } from '../src/servers/targets/server/programs/programs.ts'
import { type Bench, median } from './benchmark.ts'
import { type Link, startLink } from './cut-link.ts'
import { startTestMongod } from './start/mongod.ts'
import { main, type RunningProgram, startProgram } from './start/program.ts'
import { startTestRedis, type TestRedis } from './start/redis.ts'
import { comesTrue } from './start/wait.ts'

const maxMs = 15_000
const backWithinMs = 60_000
/** Two agents, each with two links, and a run. */
const lanes = 3
const agents = ['north', 'south'] as const
const maxInFlight = 20

/** A Redis, a mongod and two agents, of which one is behind links that can be cut, and the run that is under way. */
type Lane = {
  readonly redis: TestRedis
  readonly mongo: MongoClient
  readonly run: RunningProgram
  readonly links: readonly Link[]
  readonly agent: (name: (typeof agents)[number]) => RunningProgram
  readonly startAgent: (name: (typeof agents)[number]) => Promise<void>
}

type Failure = {
  readonly name: string
  readonly fail: (lane: Lane) => Promise<unknown>
  /** Makes it good again, after the run has ended. */
  readonly recover?: (lane: Lane) => Promise<unknown>
  /** Reason that the run reports. Undefined: it is killed and reports nothing. */
  readonly reason: RegExp | undefined
  /** Whether the run may also go on as if nothing had been. */
  readonly maySurvive?: boolean
  /** Calls that are on their way meanwhile, and reach the server later. Default 0. */
  readonly underWay?: number
  /** For how long the run itself cannot end, in milliseconds. Default 0. */
  readonly stoppedMs?: number
}

const signal = (program: RunningProgram, name: NodeJS.Signals) => program.child.kill(name)

async function restart(redis: TestRedis, keepsData: boolean): Promise<void> {
  if (keepsData) await redis.client.save()
  await redis.kill()
  await redis.startAgain(keepsData ? [] : ['--dbfilename', 'none.rdb'])
}

const failures: readonly Failure[] = [
  {
    name: 'agent: kill -9',
    fail: async ({ agent }) => signal(agent('south'), 'SIGKILL'),
    recover: ({ startAgent }) => startAgent('south'),
    reason: /The agent south (is gone|has not handed over)/,
  },
  {
    name: 'agent: SIGSTOP, later SIGCONT',
    fail: async ({ agent }) => signal(agent('south'), 'SIGSTOP'),
    recover: async ({ agent }) => signal(agent('south'), 'SIGCONT'),
    // Its one thread may be stopped after it has asked whether it may send, and before it has written to the socket.
    underWay: 1,
    reason: /The agent south (is gone|has not handed over)/,
  },
  {
    name: 'agent: network cut, later joined',
    fail: async ({ links }) => links.forEach((link) => link.cut()),
    recover: async ({ links }) => links.forEach((link) => link.join()),
    underWay: maxInFlight / agents.length,
    reason: /The agent south (is gone|has not handed over)/,
  },
  {
    name: 'Redis: restarted with its data',
    fail: ({ redis }) => restart(redis, true),
    reason: /The (agent|queue)/,
    maySurvive: true,
  },
  {
    name: 'Redis: restarted without data',
    fail: ({ redis }) => restart(redis, false),
    reason: /The (agent \w+ is no longer claimed|agent \w+ is gone|queue)/,
  },
  {
    name: 'Redis: killed',
    fail: ({ redis }) => redis.kill(),
    recover: ({ redis }) => redis.startAgain(),
    reason: /The queue of the agents has not answered/,
  },
  { name: 'coordinator: kill -9', fail: async ({ run }) => signal(run, 'SIGKILL'), reason: undefined },
  {
    name: 'coordinator: SIGSTOP for 20 s',
    async fail({ run }) {
      signal(run, 'SIGSTOP')
      void systemClock.sleep(20_000).then(() => signal(run, 'SIGCONT'))
    },
    reason: /This process stood still for|The run was left|The agent \w+ (is gone|has ended its load)/,
    stoppedMs: 20_000,
  },
]

/** Outcome of one failure. Times are in milliseconds from the failure. */
type Outcome = {
  readonly survived: boolean
  readonly endedMs: number
  readonly lastCallMs: number
  /** Deviations from the required outcome. */
  readonly wrong: readonly string[]
}

const spec = {
  name: 'agent-failures',
  target: { kind: 'existing' },
  variants: { seconds: [2, 300] },
  data: { collection: 'c', rows: 1, document: { _id: { '@row': {} }, text: { '@string': {} } } },
  phases: [
    {
      name: 'insert',
      load: { kind: 'open', ratePerSecond: 100, arrivals: 'constant', maxInFlight },
      stopAfter: { seconds: { '@param': 'seconds' } },
      operations: [{ kind: 'insertOne' }],
    },
  ],
}

const database = toDatabaseName(spec.name)

/** Ends agents, Redis, the run and links in which ways, and shows when the load ends and what is left. */
export const agentFailures: Bench = async ({ mongod, print, quick, part }) => {
  await promisify(execFile)('npm', ['run', 'build'])
  const found = await findRedis({ machine: thisMachine(process.env), signal: new AbortController().signal, log: print })
  const binaries = { mongod: await mongod(), redis: found.path }
  const asked = part === undefined ? failures : failures.filter(({ name }) => name.includes(part))
  const times = quick ? 1 : 10
  const todo = asked.flatMap((failure) => Array.from({ length: times }, () => failure))
  const outcomes = new Map<Failure, Outcome[]>(asked.map((failure) => [failure, []]))
  const worker = async (): Promise<void> => {
    await using lane = await openLane(binaries)
    for (let failure = todo.shift(); failure !== undefined; failure = todo.shift()) {
      const outcome = await lane.attempt(failure)
      outcomes.get(failure)?.push(outcome)
      print(
        `  ${failure.name}: ${outcome.survived ? 'survived' : `ended after ${(outcome.endedMs / 1000).toFixed(1)} s`}`,
      )
      for (const wrong of outcome.wrong) print(`  ${failure.name}: ${wrong}`)
    }
  }
  // What one lane throws must not leave the servers of the others behind.
  const ended = await Promise.allSettled(Array.from({ length: quick ? 2 : lanes }, worker))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  const columns = ['failure', 'tried', 'as expected', 'survived', 'end of run, median (max)', 'last call, median (max)']
  print(`| ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length)}`)
  for (const [{ name }, those] of outcomes) print(`| ${[name, ...createRow(those)].join(' | ')} |`)
}

const seconds = (values: readonly number[]): string =>
  values.length === 0 ? '–' : `${(median(values) / 1000).toFixed(1)} s (${(Math.max(...values) / 1000).toFixed(1)} s)`

function createRow(those: readonly Outcome[]): readonly string[] {
  const ended = those.filter(({ survived }) => !survived)
  return [
    String(those.length),
    String(those.filter(({ wrong }) => wrong.length === 0).length),
    String(those.length - ended.length),
    seconds(ended.map(({ endedMs }) => endedMs)),
    seconds(ended.map(({ lastCallMs }) => lastCallMs)),
  ]
}

const readPort = (url: string): number => Number(new URL(url).port)

async function openLane(binaries: { readonly mongod: string; readonly redis: string }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-bench-'))
  const mongod = await startTestMongod(binaries.mongod)
  const redis = await startTestRedis(binaries.redis)
  const [toRedis, toMongod] = [await startLink(readPort(redis.url)), await startLink(readPort(mongod.uri))]
  const mongo = new MongoClient(mongod.uri)
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_STATE_HOME: path.join(folder, 'state') }
  const queues = { north: redis.url, south: `redis://127.0.0.1:${toRedis.port}` }
  const uris = { north: mongod.uri, south: `mongodb://127.0.0.1:${toMongod.port}/?directConnection=true` }
  const running = new Map<string, RunningProgram>()
  async function close(): Promise<void> {
    for (const { child } of running.values()) child.kill('SIGKILL')
    await Promise.all([...running.values()].map(({ ended }) => ended))
    await mongo.close()
    for (const one of [toRedis, toMongod, redis, mongod]) await one[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
  async function startAgent(name: (typeof agents)[number]): Promise<void> {
    const args = [main, 'agent', '--queue', queues[name], '--name', name, '--threads', '1']
    const program = startProgram(args, folder, { ...env, MONGO_PERF_URI: uris[name] })
    running.set(name, program)
    await program.says('waits for runs')
  }
  const agent = (name: string): RunningProgram => {
    const program = running.get(name)
    if (program === undefined) throw new Error(`The agent ${name} was never started`)
    return program
  }
  await mkdir(path.join(folder, 'state'))
  const file = path.join(folder, 'spec.json')
  await writeFile(file, JSON.stringify(spec))
  await Promise.all(agents.map(startAgent))

  const isIdle = async (): Promise<boolean> => {
    const there = await listAgents(redis.client)
    return agents.every((name) => there.some((one) => one.name === name && one.run === null))
  }

  async function attempt(failure: Failure): Promise<Outcome> {
    const args = [main, 'run', file, '--uri', mongod.uri, '--agents', redis.url, '--min-agents', '2']
    const run = startProgram(args, folder, env)
    running.set('run', run)
    let isOver = false
    const over = run.ended.then((ended) => {
      isOver = true
      return { ...ended, atMs: systemClock.now() }
    })
    await run.says('[2/2]')
    const meter = startMeter(mongo)
    if (!(await comesTrue(() => meter.calls() > 100, backWithinMs))) throw new Error('There is no load')
    const lane: Lane = { redis, mongo, run, links: [toRedis, toMongod], agent, startAgent }
    const failedMs = systemClock.now()
    await failure.fail(lane)
    await comesTrue(() => isOver, maxMs + (failure.stoppedMs ?? 0) + 10_000)
    const survived = !isOver && failure.maySurvive === true
    if (!isOver) signal(run, survived ? 'SIGINT' : 'SIGKILL')
    const { code, stderr, atMs } = await over
    const callsAtEnd = await meter.settled()
    const lastCallMs = meter.lastMs() - failedMs
    const wrong: string[] = []
    const check = (isRight: boolean, text: string): void => void (isRight || wrong.push(text))
    await failure.recover?.(lane)
    const isBack = await comesTrue(isIdle, backWithinMs)
    check(isBack, 'the agents are not idle again')
    const callsAfter = await meter.settled()
    const late = callsAfter - callsAtEnd
    check(late <= (failure.underWay ?? 0), `${late} calls reached the server after the failure was over`)
    const documents = await mongo.db(database).collection('c').countDocuments()
    const attempts = await countInserts(mongo)
    check(attempts <= documents, `the server counted ${attempts} inserts for ${documents} documents`)
    meter.stop()
    const { variants } = JSON.parse(
      await readFile(path.join(folder, 'mongo-perf-results', spec.name, 'result.json'), 'utf8'),
    ) as Result
    check(variants[0]?.status === 'done', 'the finished row was not kept')
    if (survived) check(code === 130, `it survived, and ended with exit code ${code} after Ctrl-C`)
    else {
      check(lastCallMs <= maxMs, `the last call came after ${lastCallMs} ms`)
      if (failure.reason !== undefined) {
        check(atMs - failedMs <= maxMs + (failure.stoppedMs ?? 0), `the run ended after ${atMs - failedMs} ms`)
        check(code === 4 && failure.reason.test(stderr), `exit code ${code}: ${stderr.slice(-500)}`)
      }
    }
    return { survived, endedMs: atMs - failedMs, lastCallMs, wrong }
  }
  return { attempt, [Symbol.asyncDispose]: close }
}

/** Inserts that the server was asked for, those among them that it refused. */
async function countInserts(mongo: MongoClient): Promise<number> {
  const { totals } = (await mongo.db('admin').command({ top: 1 })) as {
    readonly totals: Readonly<Record<string, { readonly insert: { readonly count: number } } | undefined>>
  }
  return totals[`${database}.c`]?.insert.count ?? 0
}

const lookMs = 100
const settledMs = 3000

/** Counts the inserts of a collection from now on, and knows when the last of them came. */
function startMeter(mongo: MongoClient) {
  const stopping = new AbortController()
  let [first, counted, lastMs]: [number | undefined, number, number] = [undefined, 0, systemClock.now()]
  async function lookOften(): Promise<void> {
    while (!stopping.signal.aborted) {
      const count = await countInserts(mongo)
      first ??= count
      if (count !== counted) lastMs = systemClock.now()
      counted = count
      await systemClock.sleep(lookMs, stopping.signal)
    }
  }
  void lookOften()
  const calls = (): number => counted - (first ?? counted)
  return {
    calls,
    lastMs: () => lastMs,
    /** Waits until no more calls come, at most until that is too late. */
    async settled(): Promise<number> {
      const sinceMs = systemClock.now()
      await comesTrue(() => systemClock.now() - Math.max(lastMs, sinceMs) > settledMs, backWithinMs)
      return calls()
    },
    stop: () => stopping.abort(),
  }
}
