import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from 'vitest'
import { comesTrue, soonMs } from '../../bench/start/wait.ts'
import { systemClock } from '../../src/core/clock.ts'
import { joinAgents } from '../../src/run/agents/coordinator/join-agents.ts'
import { agentIds } from '../../src/run/agents/keys.ts'
import { runBenchmark } from '../../src/run/benchmark.ts'
import { createRunEnvironment } from '../../src/run/run-environment.ts'
import { thisMachine } from '../../src/servers/machine.ts'
import { createStartContext } from '../../src/servers/targets/start/start-context.ts'
import { loadSpecText } from '../../src/spec/load-spec.ts'
import { agentSite, long, lostAgent } from '../contract/support/agents.ts'
import { sharedRedis, sharedServer } from '../contract/support/shared-servers.ts'

/** A loss is seen in 5 s instead of 10. Beside other tests, a process may not get to its beats for two seconds while its load begins. */
const times = { beatMs: 250, announcedForMs: 5_000, claimedForMs: 5_000, maxSilenceMs: 4_000, minPauseMs: 2_000 }

const server = sharedServer()
const redis = sharedRedis()
const script = path.join(import.meta.dirname, 'agent-process.mjs')

/** An agent in a process of its own, and what it has written so far. */
type AgentProcess = { readonly child: ChildProcess; readonly hasSaid: (text: string) => boolean }

function startAgent(name: string): AgentProcess {
  const child = spawn(process.execPath, [script, redis.url, name, server.uri, JSON.stringify(times)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let written = ''
  child.stdout.on('data', (bytes: Buffer) => void (written += bytes.toString()))
  return { child, hasSaid: (text) => written.includes(text) }
}

async function end({ child }: AgentProcess): Promise<void> {
  const exited = once(child, 'exit')
  if (child.kill('SIGTERM')) await exited
}

test('an agent that is killed ends the phase with a reason, the other leaves the run, and nothing of it stays in Redis', async () => {
  const site = agentSite(server.uri, redis.url)
  const [victim, other] = [startAgent('victim'), startAgent('other')]
  try {
    const stop = new AbortController()
    await using start = createStartContext({
      machine: thisMachine(process.env),
      mongod: undefined,
      uri: () => server.uri,
      allowRemote: false,
      signal: stop.signal,
      log: () => undefined,
    })
    await using agents = await joinAgents({
      queue: redis.url,
      minAgents: 2,
      times,
      clock: systemClock,
      signal: stop.signal,
      onWaiting: () => undefined,
      onWarning: () => undefined,
    })
    const ended = runBenchmark(loadSpecText(JSON.stringify(long), 'long.json'), createRunEnvironment(start), {
      start,
      agents,
    }).catch((error: unknown) => error)
    await site.underLoad()
    victim.child.kill('SIGKILL')
    expect(await ended).toMatchObject({
      code: 'agents-unavailable',
      message: expect.stringMatching(lostAgent('victim')),
    })
    expect(await comesTrue(() => other.hasSaid('Left the run'), soonMs)).toBe(true)
    expect(await comesTrue(site.loadHasEnded, soonMs)).toBe(true)
  } finally {
    await Promise.all([end(victim), end(other)])
  }
  // The list of agents is read, and cleared of those that are gone, by the next run; without one it expires.
  expect((await redis.client.keys('*')).filter((key) => key !== agentIds)).toEqual([])
})
