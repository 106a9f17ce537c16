import { MongoClient } from 'mongodb'
import { expect } from 'vitest'
import { comesTrue, soonMs } from '../../../bench/start/wait.ts'
import { type RunningProgram, type Workplace } from './program.ts'

/** A phase of a spec for agents. */
export const find = (stopAfter: object, load: object = { kind: 'closed', workers: 6 }) => ({
  name: 'find',
  load,
  stopAfter,
  operations: [{ kind: 'findOne', filter: { _id: { '@key': {} } } }],
})

export const specOf = (...phases: readonly object[]) => ({
  name: 'from-agents',
  target: { kind: 'existing' },
  data: { collection: 'c', rows: 200, document: { _id: { '@row': {} }, n: 1 } },
  phases,
})

/** A spec that ends after minutes. */
export const long = specOf(find({ seconds: 120 }))

/** A spec of two rows, of which the second ends after minutes. */
export const shortAndLong = {
  ...specOf(find({ seconds: { '@param': 'seconds' } })),
  variants: { seconds: [1, 120] },
}

/** What a run says of an agent that is no longer there, which it may find in two ways. */
export const lostAgent = (name: string): RegExp =>
  new RegExp(`The agent ${name} (is gone: it has not announced itself for \\d+ s|has not handed over)`)

/** Agents and runs that meet at a queue, to put a server under load. */
export type AgentSite = {
  readonly startAgents: (
    place: Workplace,
    names: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<readonly RunningProgram[]>
  readonly startRun: (place: Workplace, file: string, minAgents: number, ...more: readonly string[]) => RunningProgram
  /** Whether the server has answered nothing more since the last look, but one look after the other. */
  readonly loadHasEnded: () => Promise<boolean>
  readonly underLoad: () => Promise<void>
}

export function agentSite(uri: string, queue: string): AgentSite {
  /** Reads that the server has answered so far. */
  async function queries(): Promise<number> {
    await using client = new MongoClient(uri)
    const { opcounters } = (await client.db('admin').command({ serverStatus: 1 })) as { opcounters: { query: number } }
    return opcounters.query
  }
  async function loadHasEnded(): Promise<boolean> {
    const before = await queries()
    return !(await comesTrue(async () => (await queries()) - before >= 10, 300))
  }
  return {
    async startAgents(place, names, env = {}) {
      const agents = names.map((name) =>
        place.start(['agent', '--queue', queue, '--name', name, '--threads', '1'], { MONGO_PERF_URI: uri, ...env }),
      )
      await Promise.all(agents.map((agent) => agent.says('waits for runs')))
      return agents
    },
    startRun: (place, file, minAgents, ...more) =>
      place.start(['run', file, '--uri', uri, '--agents', queue, '--min-agents', String(minAgents), ...more]),
    loadHasEnded,
    async underLoad() {
      expect(await comesTrue(async () => !(await loadHasEnded()), soonMs)).toBe(true)
    },
  }
}
