import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLiveOutputs } from '../src/cli/actions/live-outputs.ts'
import { showProgress } from '../src/cli/terminal/show-progress.ts'
import { createStatusWriter } from '../src/cli/terminal/status-writer.ts'
import { systemClock } from '../src/core/clock.ts'
import { runBenchmark } from '../src/run/benchmark.ts'
import { createRunEnvironment } from '../src/run/run-environment.ts'
import { listenForProgress, type RunListener } from '../src/run/run-events.ts'
import { thisMachine } from '../src/servers/machine.ts'
import { createStartContext } from '../src/servers/targets/start/start-context.ts'
import { type LoadedSpec, loadSpecText } from '../src/spec/load-spec.ts'
import { type SpecInput } from '../src/spec/spec-input.ts'
import { type Bench, interleave, median } from './benchmark.ts'
import { startProcess } from './start-process.ts'
import { startStubServer } from './stub-server/start-stub-server.ts'

const sides = ['nothing', 'terminal', '--live', '--metrics', '--stream', 'all of them'] as const
type Side = (typeof sides)[number]

const ratePerSecond = 100
const rounds = 7
const warmupSeconds = 1

const createSpec = (seconds: number): SpecInput => ({
  name: 'sinks',
  engine: 'wire',
  target: { kind: 'existing' },
  data: { collection: 'documents', existing: 'stub.documents' },
  phases: [
    {
      name: 'read',
      load: { kind: 'open', ratePerSecond, maxInFlight: 256 },
      warmup: { seconds: warmupSeconds },
      stopAfter: { seconds },
      operations: [{ kind: 'findOne', filter: { _id: 1 } }],
    },
  ],
})

/**
 * Measures what it costs to show a run while it goes on: CPU time of the process in the window of a phase, beside that without anything that shows it. Against a
 * stub server, at a rate that leaves most of a core, so that the difference is not lost in the noise of the load. With `--live` a browser reads, and with `--metrics`
 * a Prometheus asks every second, each in another process. Goal: less than 1 % of a core.
 */
export const sinks: Bench = async ({ print, quick }) => {
  await using stub = await startStubServer({ delayMs: 1 })
  const folder = await mkdtemp(join(tmpdir(), 'mongo-perf-bench-'))
  const spec = loadSpecText(JSON.stringify(createSpec(quick ? 2 : 6)), 'bench')
  try {
    const context = { spec, folder, uri: stub.uri }
    const all = await interleave(sides, quick ? 1 : rounds + 1, (side) => measure(side, context))
    // In the first round, code is compiled.
    const of = (side: Side): readonly Cost[] => (quick ? all[side] : all[side].slice(1))
    const nothing = of('nothing')
    for (const side of sides) {
      const measured = of(side)
      const more = measured.map(({ cpuPercent }, round) => cpuPercent - (nothing[round]?.cpuPercent ?? 0))
      print(
        `${side.padEnd(12)} ${median(measured.map(({ cpuPercent }) => cpuPercent)).toFixed(2)} % of a core, ${median(more).toFixed(2)} % more; ` +
          `${median(measured.map(({ insidePercent }) => insidePercent)).toFixed(3)} % in its calls`,
      )
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

type Cost = {
  /** CPU time of the process in the window, in percent of a core. */
  readonly cpuPercent: number
  /** Time in the calls to what shows the run, warm-up included, in percent of the time of the load. */
  readonly insidePercent: number
}

type Place = { readonly spec: LoadedSpec; readonly folder: string; readonly uri: string }

async function measure(side: Side, { spec, folder, uri }: Place): Promise<Cost> {
  let insideMs = 0
  const timed =
    (listen: RunListener): RunListener =>
    (event) => {
      const beganMs = performance.now()
      const promised = listen(event)
      insideMs += performance.now() - beganMs
      return promised
    }
  const has = (one: Side): boolean => side === one || side === 'all of them'
  const printed: string[] = []
  const signal = new AbortController().signal
  const terminal = createStatusWriter({ write: () => {}, isTerminal: true, columns: () => 80, rows: () => 24 })
  const view = has('terminal') ? showProgress(terminal, systemClock.now, 0) : undefined
  await using outputs = await openLiveOutputs(
    {
      live: has('--live'),
      ...(has('--metrics') && { metrics: { host: '127.0.0.1', port: 0 } }),
      ...(has('--stream') && { stream: join(folder, 'stream.ndjson') }),
    },
    systemClock,
    { printStatus: (line) => void printed.push(line), exitWith: () => {}, uris: [], env: {}, errorsAsJson: false },
  )
  const watched = outputs.watch({ spec: spec.name, resumed: false, secrets: [], terminal: view?.onLive })
  const listeners = [...watched.listeners, ...(view === undefined ? [] : [listenForProgress(view.onProgress)])]
  const readers = startProcess(new URL('live-readers.ts', import.meta.url), printed.flatMap(addressToRead), 'inherit')
  await using start = createStartContext({
    machine: thisMachine(process.env),
    mongod: undefined,
    uri: () => uri,
    allowRemote: false,
    signal,
    log: () => {},
  })
  try {
    const environment = createRunEnvironment(start, { listeners: listeners.map(timed) })
    const { variants } = await runBenchmark(spec, environment, { start })
    const phase = variants[0]?.phases[0]
    if (!phase) throw new Error('The phase has no result')
    const seconds = phase.wallSeconds + warmupSeconds
    return { cpuPercent: phase.client.cpuPercent, insidePercent: insideMs / seconds / 10 }
  } finally {
    readers.kill()
  }
}

/** Finds the address in the line that shows where something is served. */
const addressToRead = (line: string): readonly string[] => {
  const [, name, url = ''] = /^(\w+): (\S+)/.exec(line) ?? []
  return [name === 'live' ? `${url}events` : url]
}
