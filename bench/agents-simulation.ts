import { type ChildProcess } from 'node:child_process'
import { systemClock } from '../src/core/clock.ts'
import { tableOfCells } from '../src/report/markdown/table.ts'
import { pack, unpack } from '../src/run/agents/pack.ts'
import { unitPart } from '../src/run/agents/part-schema.ts'
import { agentsAreThere } from './agents/agents-are-there.ts'
import { type CoordinatorCost, type CoordinatorMessage } from './agents/coordinator-message.ts'
import { type Mix, createPart, createSpec, usualMix } from './agents/parts.ts'
import { type BenchRedis, type RedisUsage, startRedis } from './agents/start-redis.ts'
import { type Bench, median } from './benchmark.ts'
import { compileSpec } from './compiled.ts'
import { gone, startProcess } from './start-process.ts'
import { startStubServer } from './stub-server/start-stub-server.ts'

const agentsPerProcess = 250
/** Connections of one agent, and of all that is no agent. */
const connectionsPerAgent = 3
const otherConnections = 40

/**
 * Measures what agents cost their coordinator and Redis: real agents with parts of real size, one a second, but without the load that they would make. Goal: 1,000
 * of them below one core of the coordinator, and parts of at most 8 KB. Agents, Redis and coordinator share this machine: with 1,000 agents it is busy, so delays
 * are longer than over a network. Shows first what is packed.
 */
export const agentsSimulation: Bench = async ({ print, redis, quick }) => {
  print(
    tableOfCells([
      ['Part of one second', 'KB', 'KB max', 'pack µs', 'unpack µs', 'validate µs'],
      ...mixes.map(packedRow),
    ]),
  )
  const sizes = quick ? [10, 50] : [10, 100, 300, 1000]
  const seconds = quick ? 4 : 20
  await using stub = await startStubServer()
  const measured: Simulated[] = []
  for (const agents of sizes) measured.push(await simulate(await redis(), { agents, seconds, uri: stub.uri }))
  print('')
  const rows = figures.map(([name, of]) => [name].concat(measured.map(of)))
  print(tableOfCells([['Agents', ...sizes.map(String)], ...rows]))
}

const mixes: readonly (readonly [string, Mix])[] = [
  ['1 operation, 1,000 calls', { operations: 1, callsPerSecond: 1000, spread: 1 }],
  ['5 operations, 5,000 calls (as simulated)', usualMix],
  ['10 operations, 2,000 calls, wide', { operations: 10, callsPerSecond: 2000, spread: 1.5 }],
  ['10 operations, 5,000 calls, wide', { operations: 10, callsPerSecond: 5000, spread: 1.5 }],
  ['10 operations, 10,000 calls, wide', { operations: 10, callsPerSecond: 10_000, spread: 1.5 }],
  ['10 operations, 20,000 calls, wide', { operations: 10, callsPerSecond: 20_000, spread: 1.5 }],
]

const partsOfMix = 40

function packedRow([name, mix]: readonly [string, Mix]): readonly string[] {
  const compiled = compileSpec(createSpec(mix, 1, 1))
  const parts = Array.from({ length: partsOfMix }, (_, seed) => createPart(compiled, mix, seed))
  const packed = timed(parts, pack)
  const unpacked = timed(packed.values, unpack)
  const validated = timed(unpacked.values, (value) => unitPart.parse(value))
  const bytes = packed.values.map(({ length }) => length)
  const times = [packed, unpacked, validated].map(({ medianUs }) => medianUs.toFixed(0))
  return [name, kilobytes(median(bytes)), kilobytes(Math.max(...bytes)), ...times]
}

function timed<Given, Value>(all: readonly Given[], act: (one: Given) => Value) {
  // Code is compiled first.
  for (const one of all) act(one)
  const values: Value[] = []
  const us = all.map((one) => {
    const beganMs = performance.now()
    values.push(act(one))
    return (performance.now() - beganMs) * 1000
  })
  return { values, medianUs: median(us) }
}

const kilobytes = (bytes: number): string => (bytes / 1024).toFixed(1)

type Size = { readonly agents: number; readonly seconds: number; readonly uri: string }

type Simulated = {
  readonly agents: number
  readonly cost: CoordinatorCost
  readonly idle: RedisRate
  readonly busy: RedisRate
}

/** Work of Redis in a span of time, and what it held at its end. */
type RedisRate = {
  readonly cpuPercent: number
  readonly inputPerSecond: number
  readonly outputPerSecond: number
  readonly memoryMB: number
  readonly clients: number
}

async function simulate(binary: string, { agents, seconds, uri }: Size): Promise<Simulated> {
  await using redis = await startRedis(binary)
  const needed = agents * connectionsPerAgent + otherConnections
  if (redis.maxClients < needed)
    throw new Error(
      `Redis takes ${redis.maxClients} connections here, and ${agents} agents need ${needed}: raise "ulimit -n"`,
    )
  await using crowd = startAgents(redis.url, agents)
  await crowd.ready()
  const idle = await redisRate(redis, () => systemClock.sleep(5000))
  const args = [`--url=${redis.url}`, `--uri=${uri}`, `--agents=${agents}`, `--seconds=${seconds}`]
  const coordinator = startProcess(new URL('agents/coordinator.ts', import.meta.url), args, [
    'ignore',
    'inherit',
    'inherit',
    'ipc',
  ])
  const of = listenTo(coordinator)
  const busy = await redisRate(redis, () => of('window ends'), of('window begins'))
  const { cost } = await of('measured')
  await gone(coordinator)
  return { agents, cost, idle, busy }
}

type MessageOf<Kind> = Extract<CoordinatorMessage, { readonly kind: Kind }>

/** Resolves to messages of a coordinator, and rejects when it has ended without them. */
function listenTo(
  coordinator: ChildProcess,
): <Kind extends CoordinatorMessage['kind']>(kind: Kind) => Promise<MessageOf<Kind>> {
  return (kind) =>
    new Promise((resolve, reject) => {
      coordinator.on('message', (message: CoordinatorMessage) => {
        if (message.kind === kind) resolve(message as MessageOf<typeof kind>)
      })
      coordinator.on('exit', (code) => reject(new Error(`The coordinator ended with ${code}`)))
    })
}

async function redisRate(
  redis: BenchRedis,
  until: () => Promise<unknown>,
  from?: Promise<unknown>,
): Promise<RedisRate> {
  await from
  const [before, beganMs] = [await redis.usage(), systemClock.now()]
  await until()
  const [after, seconds] = [await redis.usage(), (systemClock.now() - beganMs) / 1000]
  const rate = (figure: keyof RedisUsage): number => (after[figure] - before[figure]) / seconds
  return {
    cpuPercent: rate('cpuSeconds') * 100,
    inputPerSecond: rate('inputBytes'),
    outputPerSecond: rate('outputBytes'),
    memoryMB: after.memoryBytes / 2 ** 20,
    clients: after.clients,
  }
}

function startAgents(url: string, count: number) {
  const firsts = Array.from({ length: Math.ceil(count / agentsPerProcess) }, (_, i) => i * agentsPerProcess)
  const children = firsts.map((first) => {
    const args = [`--url=${url}`, `--first=${first}`, `--count=${Math.min(agentsPerProcess, count - first)}`]
    return startProcess(new URL('agents/simulated-agents.ts', import.meta.url), args, ['pipe', 'inherit', 'inherit'])
  })
  return {
    ready: () => agentsAreThere(url, count),
    async [Symbol.asyncDispose]() {
      for (const { stdin } of children) stdin?.end()
      await Promise.all(children.map(gone))
    },
  }
}

const fixed =
  (figure: (of: Simulated) => number, digits = 0) =>
  (of: Simulated): string =>
    figure(of).toFixed(digits)

/** Rows of the table. */
const figures: readonly (readonly [string, (of: Simulated) => string])[] = [
  ['Coordinator: CPU, % of a core', fixed(({ cost }) => cost.cpuPercent)],
  ['Coordinator: CPU µs for each part', fixed(({ cost }) => cost.cpuUsPerPart)],
  ['Coordinator: memory, MB', fixed(({ cost }) => cost.rssMB)],
  ['Coordinator: event loop delay, p99 ms', fixed(({ cost }) => cost.loopDelayP99Ms)],
  ['Coordinator: event loop delay, max ms', fixed(({ cost }) => cost.loopDelayMaxMs)],
  ['Coordinator: file descriptors', fixed(({ cost }) => cost.fileDescriptors)],
  ['Prepared after, s', fixed(({ cost }) => cost.preparedAfterSeconds, 1)],
  ['Parts/s', fixed(({ cost }) => cost.partsPerSecond)],
  ['Delay of a part, median ms', fixed(({ cost }) => cost.partDelayMedianMs)],
  ['Delay of a part, max ms', fixed(({ cost }) => cost.partDelayMaxMs)],
  ['Start offset, max ms', fixed(({ cost }) => cost.startOffsetMaxMs, 1)],
  ['Clock error, max ms', fixed(({ cost }) => cost.clockErrorMaxMs, 1)],
  ['Redis: CPU, % of a core', fixed(({ busy }) => busy.cpuPercent)],
  ['Redis: CPU, agents idle', fixed(({ idle }) => idle.cpuPercent)],
  ['Redis: memory, MB', fixed(({ busy }) => busy.memoryMB)],
  ['Redis: connections', fixed(({ busy }) => busy.clients)],
  ['Redis: KB/s in, for each agent', fixed(({ busy, agents }) => busy.inputPerSecond / agents / 1024, 1)],
  ['Redis: KB/s out, for each agent', fixed(({ busy, agents }) => busy.outputPerSecond / agents / 1024, 1)],
  ['Redis: KB/s in, agents idle', fixed(({ idle, agents }) => idle.inputPerSecond / agents / 1024, 1)],
  ['Redis: KB/s out, agents idle', fixed(({ idle, agents }) => idle.outputPerSecond / agents / 1024, 1)],
]
