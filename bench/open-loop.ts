import { systemClock } from '../src/clock.ts'
import { emptyReply, type PhaseEngine } from '../src/engines/engine.ts'
import { noArguments } from '../src/engines/intent.ts'
import { defineSpec, type PhaseResult, run } from '../src/index.ts'
import { recordArrivals } from '../src/measure/open-loop-recorder.ts'
import { PhaseRecorder } from '../src/measure/recorder.ts'
import { createArrivalTimes } from '../src/plan/arrival-times.ts'
import { type LoadPlan, type PhasePlan, type StopAfter } from '../src/plan/plan.ts'
import { runPhase } from '../src/load/run-phase.ts'
import { fakePhase } from '../test/fakes/fake-calls.ts'
import { startTestMongod } from '../test/integration/start-mongod.ts'
import { type Bench } from './benchmark.ts'

const seconds = 5
const maxInFlight = 512

/**
 * How late the calls of an open loop go out, and what one costs: with an engine that answers at once, beside a closed loop of
 * the same calls, and with a real server. Arrivals are Poisson.
 */
export const openLoop: Bench = async ({ mongod, print }) => {
  print('an engine that answers at once')
  for (const rate of [100, 1000, 10_000, 50_000]) print(await withoutServer(rate))
  print(await closedBeside(500_000))
  print('findOne by key')
  await using server = await startTestMongod(await mongod())
  for (const rate of [100, 500, 1000, 2000]) print(await withServer(server.uri, rate))
}

const line = (name: string, figures: readonly (readonly [name: string, value: string])[]): string =>
  `${name.padStart(14)} ${figures.map(([what, value]) => `${what} ${value.padStart(7)}`).join('   ')}`

const ms = (value: number | undefined): string => (value === undefined ? '' : `${value.toFixed(2)} ms`)

async function withoutServer(rate: number): Promise<string> {
  const phase = plan({ seconds }, openLoad(rate))
  const arrivals = recordArrivals(phase)
  const cpuUs = await cpuOf(phase, arrivals)
  const result = arrivals.result()
  const { p50Ms, p99Ms, maxMs } = result?.wait ?? {}
  const sent = result?.sent ?? 0
  return line(`${rate}/s`, [
    ['sent', String(sent)],
    ['dropped', String(result?.dropped)],
    ['late p50', ms(p50Ms)],
    ['p99', ms(p99Ms)],
    ['max', ms(maxMs)],
    ['CPU of a core', `${((cpuUs / seconds / 1e6) * 100).toFixed(1)} %`],
    ['per call', `${(cpuUs / sent).toFixed(2)} µs`],
  ])
}

async function closedBeside(operations: number): Promise<string> {
  const cpuUs = await cpuOf(plan({ operations }, { kind: 'closed' }), undefined)
  return line('closed', [['per call', `${(cpuUs / operations).toFixed(2)} µs`]])
}

async function cpuOf(phase: PhasePlan, arrivals: ReturnType<typeof recordArrivals> | undefined): Promise<number> {
  const recorder = new PhaseRecorder(phase.operations)
  const signal = new AbortController().signal
  const cpu = process.cpuUsage()
  await runPhase({ phase, engine, clock: systemClock, signal, recorder, ...(arrivals && { arrivals }) })
  const { user, system } = process.cpuUsage(cpu)
  return user + system
}

const answer = { kind: 'ok', reply: { ...emptyReply, documents: 1 } } as const
const engine: PhaseEngine = {
  send: () => Promise.resolve(answer),
  warmUp: async () => {},
  close: async () => {},
}

const openLoad = (rate: number): LoadPlan => ({
  kind: 'open',
  arrivals: 'poisson',
  maxInFlight,
  ratePerSecond: rate,
  cooldown: undefined,
  times: () =>
    createArrivalTimes({
      ramps: [{ seconds, from: rate, to: rate }],
      arrivals: 'poisson',
      seed: 42,
      place: 'bench',
    }),
})

const plan = (stopAfter: StopAfter, load: LoadPlan): PhasePlan =>
  fakePhase({
    load,
    workers: load.kind === 'open' ? maxInFlight : 16,
    stopAfter,
    deadlineMs: 30_000,
    calls() {
      let number = 0
      return {
        next: () => ({ operation: 0, args: noArguments, bytes: 0, documents: 1, number: (number += 1) }),
        digest: () => '',
      }
    },
  })

async function withServer(uri: string, rate: number): Promise<string> {
  const spec = defineSpec({
    name: 'open-loop',
    data: { collection: 'items', rows: 1000, document: { '@filler': { sizeKB: 1, fields: { _id: { '@row': {} } } } } },
    phases: [
      {
        name: 'read',
        load: { kind: 'open', ratePerSecond: rate, maxInFlight },
        warmup: { seconds: 2 },
        stopAfter: { seconds },
        operations: [{ kind: 'findOne', filter: { _id: { '@key': { distribution: 'uniform' } } } }],
      },
    ],
  })
  const { variants } = await run(spec, { uri })
  return ofPhase(rate, variants[0]?.phases[0])
}

function ofPhase(rate: number, phase: PhaseResult | undefined): string {
  if (!phase) throw new Error('The phase has no result')
  const { openLoop: kept, operations, client } = phase
  return line(`${rate}/s`, [
    ['dropped', String(kept?.dropped)],
    ['late', String(kept?.late)],
    ['wait p50', ms(kept?.wait?.p50Ms)],
    ['p99', ms(kept?.wait?.p99Ms)],
    ['max', ms(kept?.wait?.maxMs)],
    ['service p99', ms(operations[0]?.latency.ok?.p99Ms)],
    ['response p99', ms(kept?.response?.p99Ms)],
    ['event loop', `${(client.eventLoopUtilization * 100).toFixed(0)} %`],
  ])
}
