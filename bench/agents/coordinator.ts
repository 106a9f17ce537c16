// Runs as a process of its own; see simulation.ts.
import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/core/clock.ts'
import { runLoad } from '../../src/load/run-load.ts'
import { joinAgents } from '../../src/run/agents/coordinator/join-agents.ts'
import { loadSpecText } from '../../src/spec/load-spec.ts'
import { median } from '../benchmark.ts'
import { compileSpec } from '../compiled.ts'
import { type CoordinatorCost, type CoordinatorMessage } from './coordinator-message.ts'
import { createSpec, usualMix } from './parts.ts'

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    uri: { type: 'string', default: '' },
    agents: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '1' },
  },
})
const [agents, seconds] = [Number(values.agents), Number(values.seconds)]
const input = createSpec(usualMix, agents, seconds)
const spec = loadSpecText(JSON.stringify(input), 'bench')
const { phase, dataSets } = compileSpec(input)
const [row] = spec.rows
const [phaseSpec] = row?.spec.phases ?? []
if (row === undefined || phaseSpec === undefined) throw new Error('The spec has no phase')

const clock = systemClock
const { signal } = new AbortController()
const send = (message: CoordinatorMessage): void => void process.send?.(message)
const claimingMs = clock.now()
let preparedAfterSeconds = 0
let windowStartMs = Infinity
let measuring:
  | Promise<
      Pick<CoordinatorCost, 'cpuPercent' | 'cpuUsPerPart' | 'loopDelayP99Ms' | 'loopDelayMaxMs' | 'fileDescriptors'>
    >
  | undefined
const delaysMs: number[] = []

/** Between two moments at which no part comes, so that whole seconds are counted. */
async function measureWindow() {
  await clock.sleep(windowStartMs + 1500 - clock.now())
  send({ kind: 'window begins' })
  const loop = monitorEventLoopDelay({ resolution: 5 })
  loop.enable()
  const [cpu, beganMs, partsBefore] = [process.cpuUsage(), clock.now(), delaysMs.length]
  await clock.sleep(windowStartMs + (seconds - 0.5) * 1000 - clock.now())
  const { user, system } = process.cpuUsage(cpu)
  const wallMs = clock.now() - beganMs
  loop.disable()
  send({ kind: 'window ends' })
  return {
    cpuPercent: (user + system) / wallMs / 10,
    cpuUsPerPart: (user + system) / (delaysMs.length - partsBefore),
    loopDelayP99Ms: loop.percentile(99) / 1e6,
    loopDelayMaxMs: loop.max / 1e6,
    fileDescriptors: readdirSync('/proc/self/fd').length,
  }
}

await using session = await joinAgents({
  queue: values.url,
  minAgents: agents,
  clock,
  signal,
  onWaiting: () => {},
  onWarning: () => {},
})
const units = await session.unitsOf(spec, row)({ phase, spec: phaseSpec, dataSets, evidence: [], uri: values.uri })
const run = await runLoad({
  phase,
  units,
  dataSets,
  clock,
  signal,
  onWindowOpens: async () => void (preparedAfterSeconds = (clock.now() - claimingMs) / 1000),
  onStart(startMs) {
    windowStartMs = startMs
    measuring = measureWindow()
  },
  sinks: [(part) => void delaysMs.push(clock.now() - windowStartMs - part.seconds * 1000)],
})
const counted = run.operations.reduce((sum, { ok }) => sum + ok, 0)
const sent = agents * seconds * usualMix.callsPerSecond
if (counted !== sent) throw new Error(`${counted} of ${sent} calls were counted`)
const ofAgents = run.units.flatMap(({ agent }) => agent ?? [])
const measured = await measuring
if (measured === undefined) throw new Error('The window has not begun')
send({
  kind: 'measured',
  cost: {
    ...measured,
    rssMB: process.memoryUsage.rss() / 2 ** 20,
    partsPerSecond: delaysMs.length / seconds,
    partDelayMedianMs: median(delaysMs),
    partDelayMaxMs: Math.max(...delaysMs),
    startOffsetMaxMs: Math.max(...ofAgents.map(({ startOffsetMs }) => startOffsetMs)),
    clockErrorMaxMs: Math.max(...ofAgents.map(({ clockErrorMs }) => clockErrorMs)),
    preparedAfterSeconds,
  },
})
await Promise.all(units.map((unit) => unit.close()))
await Promise.all(units.map((unit) => unit.end()))
