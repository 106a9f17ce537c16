// Runs as a process of its own; see simulation.ts.
import { setMaxListeners } from 'node:events'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/core/clock.ts'
import { type RunRequest, type UnitPart, type UnitRun } from '../../src/load/load-unit.ts'
import { clockWithOrigin } from '../../src/load/threads/thread-clock.ts'
import { serveAgent } from '../../src/run/agents/agent/agent.ts'
import { type RequestWorker } from '../../src/run/agents/agent/phase-worker.ts'
import { type AgentAnswer, type AgentRequest, type AgentWork } from '../../src/run/agents/messages.ts'
import { connectRedis } from '../../src/run/agents/redis.ts'
import { compileSpec } from '../compiled.ts'
import { atSecond, createPart, createSpec, usualMix } from './parts.ts'

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    first: { type: 'string', default: '0' },
    count: { type: 'string', default: '1' },
  },
})

const compiled = compileSpec(createSpec(usualMix, 1, 1))
/** No two of them alike; shared by agents, as drawing them takes longer than sending them. */
const parts = Array.from({ length: 16 }, (_, seed) => createPart(compiled, usualMix, seed + Number(values.first)))

/** Answers as an agent does that makes load, and hands over a part once a second. */
function createSimulatedWorker(agent: number): RequestWorker {
  const stopping = new AbortController()
  let work: AgentWork | undefined

  async function run(request: RunRequest, onPart: (part: UnitPart) => void): Promise<AgentAnswer> {
    if (work === undefined) throw new Error('A run comes after its work')
    const { signal } = stopping
    const { seconds = 1 } = request.stopAfter
    const clock = clockWithOrigin(work.clockOriginMs)
    await clock.sleep(request.startMs - clock.now(), signal)
    const beganMs = clock.now()
    let calls = 0
    for (let second = 0; second < seconds && !signal.aborted; second++) {
      await clock.sleep(Math.ceil(request.windowStartMs + (second + 1) * 1000 - clock.now()), signal)
      const part = atSecond(parts[(agent + second) % parts.length] as UnitPart, second)
      calls += part.recorded.calls
      onPart({ ...part, isLast: second === seconds - 1 || signal.aborted })
    }
    const ended: UnitRun = {
      beganMs,
      endedBecause: signal.aborted ? 'aborted' : 'seconds',
      endMs: clock.now(),
      digest: `${'0'.repeat(16)}-${calls}`,
      calls,
      rows: request.firstRows.map((first) => ({ first, next: first, taken: 0, isFollowedAlone: false })),
      openLoop: undefined,
      health: undefined,
    }
    return { kind: 'ran', runs: [ended], load: { cpuPercent: 0, machineCpuPercent: 0, rssMB: 0 } }
  }

  return {
    async answer(request: AgentRequest, onPart) {
      if (request.kind === 'run') return await run(request.request, onPart)
      if (request.kind !== 'prepare') return { kind: 'done' }
      work = request.work
      return { kind: 'prepared', machineSpeed: 1 }
    },
    notice: () => stopping.abort(),
    mayRunFor: () => {},
    leave: async () => stopping.abort(),
  }
}

const ending = new AbortController()
// Each agent waits for it.
setMaxListeners(0, ending.signal)
// It ends with the process that has started it, whatever that one's end is.
process.stdin.resume().on('close', () => ending.abort())

await Promise.all(
  Array.from({ length: Number(values.count) }, async (_, i) => {
    const agent = Number(values.first) + i
    await using redis = await connectRedis(values.url)
    await serveAgent({
      redis,
      name: `agent ${String(agent).padStart(4, '0')}`,
      threads: 1,
      createWorker: () => createSimulatedWorker(agent),
      secrets: [],
      clock: systemClock,
      signal: ending.signal,
      log: () => {},
    })
  }),
)
process.exit()
