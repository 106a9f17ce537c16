import { type Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { type Result } from '../../results/schema.ts'
import { type ListenAddress } from '../../run/live/listen.ts'
import { type LiveListener } from '../../run/live/live-events.ts'
import { type LiveServer } from '../../run/live/live-server.ts'
import { createLiveState } from '../../run/live/live-state.ts'
import { type RunListener } from '../../run/run-events.ts'
import { type CliContext } from '../cli-context.ts'
import { type RunFlags } from '../commands/run.ts'
import { showError } from '../terminal/show-error.ts'

/** Outputs that show and write a run while it goes on. Disposing ends all of it. */
export type LiveOutputs = AsyncDisposable & {
  /** Begins to watch the run of a spec. Where it is shown and written nowhere, nothing is handed to the run. */
  readonly watch: (run: WatchedSpec) => WatchedRun
}

type WatchedSpec = {
  readonly spec: string
  readonly resumed: boolean
  readonly secrets: readonly string[]
  /** Undefined: there is no terminal to show it. */
  readonly terminal: LiveListener | undefined
}

type WatchedRun = { readonly listeners: readonly RunListener[]; readonly end: (status: Result['status']) => void }

type Output = { readonly listen: LiveListener; readonly close: () => Promise<void> }

type LiveContext = Pick<CliContext, 'printStatus' | 'exitWith' | 'uris' | 'errorsAsJson' | 'env'>

type LiveFlags = Pick<RunFlags, 'live' | 'livePort' | 'metrics' | 'metricsFile' | 'otlp' | 'stream' | 'resume'>

/**
 * Opens what the options ask for.
 * @throws {Problem} when a port or a file is not available.
 */
export async function openLiveOutputs(flags: LiveFlags, clock: Clock, cli: LiveContext): Promise<LiveOutputs> {
  const outputs: Output[] = []
  const close = async (): Promise<void> => {
    for (const output of outputs.toReversed()) await closeOne(output, cli)
  }
  try {
    const server = await serverFor(flags, clock)
    if (server !== undefined) {
      outputs.push({ listen: server.publish, close: server.close })
      cli.printStatus(`live: ${server.url}\n`)
    }
    if (flags.metrics !== undefined) outputs.push(await metricsAt(flags.metrics, cli))
    if (flags.metricsFile !== undefined || flags.otlp !== undefined)
      outputs.push(...(await pushedMetrics(flags, clock, cli)))
    if (flags.stream !== undefined) outputs.push(await streamTo(flags.stream, flags.resume === true))
    return {
      watch: (run) => watch(run, outputs, server, clock),
      async [Symbol.asyncDispose]() {
        const time = clock.date().toISOString()
        for (const { listen } of outputs) void listen({ time, kind: 'end' })
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Closes an output. A failure at the end takes nothing from the result. */
async function closeOne({ close }: Output, cli: LiveContext): Promise<void> {
  try {
    await close()
  } catch (error) {
    cli.exitWith(await showError(error, cli))
  }
}

/** A server for browsers, and what hands it the results. */
type ResultServer = Pick<LiveServer, 'url' | 'publish' | 'close'> & { readonly showResult: RunListener }

async function serverFor({ live, livePort }: LiveFlags, clock: Clock): Promise<ResultServer | undefined> {
  if (live !== true && livePort === undefined) return undefined
  const [{ startLiveServer }, { livePage }] = await Promise.all([
    import('../../run/live/live-server.ts'),
    import('./live-page.ts'),
  ])
  const { show, ...server } = await startLiveServer({ port: livePort ?? 0, clock })
  return {
    ...server,
    showResult(event) {
      if (event.kind === 'result') show(livePage(event.result))
    },
  }
}

async function metricsAt(address: ListenAddress, { printStatus }: LiveContext): Promise<Output> {
  const { startMetricsServer } = await import('../../run/live/metrics-server.ts')
  const { url, observe, close } = await startMetricsServer(address)
  printStatus(`metrics: ${url}\n`)
  return { listen: observe, close }
}

async function pushedMetrics(
  { metricsFile, otlp: url }: LiveFlags,
  clock: Clock,
  { env }: LiveContext,
): Promise<readonly Output[]> {
  const push = await import('../../run/live/push-metrics.ts')
  const headers = env['OTEL_EXPORTER_OTLP_HEADERS']
  const pushed = [
    ...(metricsFile === undefined ? [] : [await push.writeMetricsTo(metricsFile)]),
    ...(url === undefined ? [] : [await push.sendMetricsTo({ url, headers, now: () => clock.date().getTime() })]),
  ]
  return pushed.map(({ observe, close }) => ({ listen: observe, close }))
}

async function streamTo(path: string, appends: boolean): Promise<Output> {
  if (path === '-')
    throw new Problem('usage', '--stream - would mix with the report on the standard output', {
      hint: 'Give the name of a file: --stream run.ndjson.',
    })
  const { openStreamFile } = await import('../../run/live/stream-file.ts')
  const { write, close } = await openStreamFile(path, { appends })
  return { listen: write, close }
}

function watch(
  { spec, resumed, secrets, terminal }: WatchedSpec,
  outputs: readonly Output[],
  server: ResultServer | undefined,
  clock: Clock,
): WatchedRun {
  const listeners = [...outputs.map(({ listen }) => listen), ...(terminal === undefined ? [] : [terminal])]
  if (listeners.length === 0) return { listeners: [], end: () => {} }
  const { listen, end } = createLiveState({ spec, resumed, clock, secrets, listeners })
  return { listeners: [listen, ...(server === undefined ? [] : [server.showResult])], end }
}
