import { systemClock } from '../src/core/clock.ts'
import { startFineTimer, type StartTimer } from '../src/core/threads/fine-timer.ts'
import { type PhaseResult, run } from '../src/entries/index.ts'
import { createArrivalTimes } from '../src/load/plan/arrival-times.ts'
import { type LoadRun, runLoad } from '../src/load/run-load.ts'
import { type Bench, measureCost } from './benchmark.ts'
import { compileSpec, findByKey } from './compiled.ts'
import { instantEngines } from './instant-engine.ts'
import { startTestMongod } from './start/mongod.ts'
import { runOperations, createUnit } from './unit.ts'

const seconds = 5
const maxInFlight = 512
const keys = 1000

/**
 * How late the calls of an open loop go out, and what one costs: with an engine that answers at once, beside a closed loop of
 * the same calls, and with a real server. Arrivals are Poisson.
 */
export const openLoop: Bench = async ({ mongod, print }) => {
  print('1000 sleeps a second, and nothing else')
  print(await sleeps('Node.js', async () => ({ sleep: systemClock.sleep, end: async () => {} })))
  print(await sleeps('thread', startFineTimer))
  print('an engine that answers at once')
  for (const rate of [100, 1000, 10_000, 50_000]) print(await withoutServer(rate))
  print(await closedBeside(500_000))
  print('findOne by key')
  await using server = await startTestMongod(await mongod())
  for (const rate of [100, 500, 1000, 2000]) print(await withServer(server.uri, rate))
}

/** How late a timer wakes its loop, after it has rested: a thread that starts from source takes time of the first sleeps. */
async function sleeps(name: string, start: StartTimer): Promise<string> {
  const { sleep, end } = await start()
  await systemClock.sleep(2000)
  const times = createArrivalTimes({
    ramps: [{ seconds, from: 1000, to: 1000 }],
    arrivals: 'poisson',
    seed: 1,
    place: name,
  })
  const startMs = systemClock.now()
  const lateMs: number[] = []
  for (let at = times(); at !== undefined; at = times()) {
    const dueMs = startMs + at
    for (let left = dueMs - systemClock.now(); left > 0; left = dueMs - systemClock.now())
      await sleep(Math.max(0.5, left))
    lateMs.push(systemClock.now() - dueMs)
  }
  await end()
  const sorted = lateMs.toSorted((a, b) => a - b)
  const quantile = (part: number): string => ms(sorted[Math.floor(sorted.length * part)])
  return line(name, [
    ['late p50', quantile(0.5)],
    ['p99', quantile(0.99)],
    ['max', ms(sorted.at(-1))],
  ])
}

const line = (name: string, figures: readonly (readonly [name: string, value: string])[]): string =>
  `${name.padStart(14)} ${figures.map(([what, value]) => `${what} ${value.padStart(7)}`).join('   ')}`

const ms = (value: number | undefined): string => (value === undefined ? '' : `${value.toFixed(2)} ms`)

const engine = instantEngines['in a microtask']

async function withoutServer(rate: number): Promise<string> {
  const { run: measured, cpuUs } = await runOpen(rate)
  const { wait, sent = 0, dropped } = measured.openLoop ?? {}
  return line(`${rate}/s`, [
    ['sent', String(sent)],
    ['dropped', String(dropped)],
    ['late p50', ms(wait?.p50Ms)],
    ['p99', ms(wait?.p99Ms)],
    ['max', ms(wait?.maxMs)],
    ['CPU of a core', `${((cpuUs / seconds / 1e6) * 100).toFixed(1)} %`],
    ['per call', `${(cpuUs / sent).toFixed(2)} µs`],
  ])
}

async function runOpen(rate: number): Promise<{ readonly run: LoadRun; readonly cpuUs: number }> {
  const { phase, dataSets } = compileSpec(findByKey(keys, { kind: 'open', ratePerSecond: rate, maxInFlight }))
  const units = [createUnit({ phase, dataSets }, engine)]
  const cpu = process.cpuUsage()
  const measured = await runLoad({
    phase,
    units,
    dataSets,
    clock: systemClock,
    signal: new AbortController().signal,
  })
  const { user, system } = process.cpuUsage(cpu)
  await Promise.all(units.map((unit) => unit.end()))
  return { run: measured, cpuUs: user + system }
}

async function closedBeside(operations: number): Promise<string> {
  const compiled = compileSpec(findByKey(keys, { kind: 'closed', workers: 16 }))
  const { cpuUs } = await measureCost(
    () => runOperations(compiled, createUnit(compiled, engine), operations),
    operations,
  )
  return line('closed', [['per call', `${cpuUs.toFixed(2)} µs`]])
}

async function withServer(uri: string, rate: number): Promise<string> {
  const spec = findByKey(keys, { kind: 'open', ratePerSecond: rate, maxInFlight }, { warmup: { seconds: 2 } })
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
