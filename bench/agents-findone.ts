import { systemClock } from '../src/core/clock.ts'
import { type PhaseResult } from '../src/entries/index.ts'
import { tableOfCells } from '../src/report/markdown/table.ts'
import { joinAgents } from '../src/run/agents/coordinator/join-agents.ts'
import { type AgentSession } from '../src/run/agents/coordinator/session.ts'
import { runBenchmark } from '../src/run/benchmark.ts'
import { createRunEnvironment } from '../src/run/run-environment.ts'
import { thisMachine } from '../src/servers/machine.ts'
import { createStartContext } from '../src/servers/targets/start/start-context.ts'
import { loadSpecText } from '../src/spec/load-spec.ts'
import { type SpecInput } from '../src/spec/spec-input.ts'
import { agentsAreThere } from './agents/agents-are-there.ts'
import { startRedis } from './agents/start-redis.ts'
import { type Bench, interleave, computeMedian } from './benchmark.ts'
import { gone, startProcess } from './start-process.ts'
import { startStubServer } from './stub-server/start-stub-server.ts'

const counts = [1, 2, 4] as const
type Side = `${(typeof counts)[number]} ${'thread' | 'agent'}`
const sides: readonly Side[] = counts.flatMap((count): readonly Side[] => [`${count} thread`, `${count} agent`])

const workers = 32
const rounds = 5

const createSpec = (threads: number, seconds: number): SpecInput => ({
  name: 'agents-findone',
  engine: 'wire',
  target: { kind: 'existing' },
  data: { collection: 'documents', existing: 'stub.documents' },
  phases: [
    {
      name: 'read',
      load: { kind: 'closed', workers, threads },
      warmup: { seconds: 2 },
      stopAfter: { seconds },
      operations: [{ kind: 'findOne', filter: { _id: 1 } }],
    },
  ],
})

/**
 * `findOne` from 1, 2 and 4 agents of one thread each, beside as many threads of one process, against a stub server. All of them, the server and Redis share this
 * machine: with more threads or agents than cores are left they take them from each other.
 */
export const agentsFindOne: Bench = async ({ print, redis, quick }) => {
  const binary = await redis()
  await using stub = await startStubServer()
  await using one = await startPlace(binary, stub.uri, 1)
  await using two = await startPlace(binary, stub.uri, 2)
  await using four = await startPlace(binary, stub.uri, 4)
  const sessions = { 1: one.session, 2: two.session, 4: four.session }
  const measured = await interleave(sides, quick ? 1 : rounds, async (side) => {
    const [count, of] = side.split(' ') as [`${keyof typeof sessions}`, string]
    const isAgents = of === 'agent'
    return await measure(isAgents ? 1 : Number(count), quick ? 1 : 5, {
      uri: stub.uri,
      agents: isAgents ? sessions[count] : undefined,
    })
  })
  const rows = sides.map((side) => {
    const of = (figure: (cost: Measured) => number, digits = 0): string =>
      computeMedian(measured[side], figure).toFixed(digits)
    const isAgents = side.endsWith('agent')
    return [
      side.startsWith('1') ? side : `${side}s`,
      of(({ opsPerSecond }) => opsPerSecond),
      of(({ cpuPercent }) => cpuPercent),
      of(({ cpuUs }) => cpuUs, 1),
      isAgents ? of(({ startOffsetMs }) => startOffsetMs, 2) : '–',
      isAgents ? of(({ clockErrorMs }) => clockErrorMs, 2) : '–',
    ]
  })
  print(
    tableOfCells([
      ['', 'ops/s', 'CPU, % of a core', 'CPU µs/op', 'Start offset, max ms', 'Clock error, max ms'],
      ...rows,
    ]),
  )
}

type Place = AsyncDisposable & { readonly session: AgentSession }

/** A Redis with so many agents that work for this process. */
async function startPlace(binary: string, uri: string, count: number): Promise<Place> {
  const redis = await startRedis(binary)
  const agents = Array.from({ length: count }, (_, i) => {
    const args = ['agent', '--queue', redis.url, '--uri', uri, '--name', `agent ${i + 1}`, '--threads', '1']
    return startProcess(new URL('../src/cli/main.ts', import.meta.url), args, 'ignore')
  })
  async function end(): Promise<void> {
    for (const agent of agents) agent.kill('SIGTERM')
    await Promise.all(agents.map(gone))
    await redis[Symbol.asyncDispose]()
  }
  try {
    await agentsAreThere(redis.url, count)
    const { signal } = new AbortController()
    const options = {
      queue: redis.url,
      minAgents: count,
      clock: systemClock,
      signal,
      onWaiting: () => {},
      onWarning: () => {},
    }
    const session = await joinAgents(options)
    return {
      session,
      async [Symbol.asyncDispose]() {
        await session[Symbol.asyncDispose]()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

type Measured = {
  readonly opsPerSecond: number
  /** CPU of all processes that make the load, and of the coordinator. */
  readonly cpuPercent: number
  readonly cpuUs: number
  readonly startOffsetMs: number
  readonly clockErrorMs: number
}

async function measure(
  threads: number,
  seconds: number,
  { uri, agents }: { readonly uri: string; readonly agents: AgentSession | undefined },
): Promise<Measured> {
  const { signal } = new AbortController()
  await using start = createStartContext({
    machine: thisMachine(process.env),
    mongod: undefined,
    uri: () => uri,
    allowRemote: false,
    signal,
    log: () => {},
  })
  const spec = loadSpecText(JSON.stringify(createSpec(threads, seconds)), 'bench')
  const { variants } = await runBenchmark(spec, createRunEnvironment(start), { start, agents })
  return readMeasured(variants[0]?.phases[0])
}

function readMeasured(phase: PhaseResult | undefined): Measured {
  const operations = phase?.operations[0]?.ok
  if (!phase || !operations) throw new Error('The phase has no result')
  const { wallSeconds, client, agents } = phase
  const cpuPercent = agents.reduce((sum, agent) => sum + agent.cpuPercent, client.cpuPercent)
  return {
    opsPerSecond: operations / wallSeconds,
    cpuPercent,
    cpuUs: (cpuPercent * wallSeconds * 1e4) / operations,
    startOffsetMs: Math.max(0, ...agents.map(({ startOffsetMs }) => startOffsetMs)),
    clockErrorMs: Math.max(0, ...agents.map(({ clockErrorMs }) => clockErrorMs)),
  }
}
