import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { type Clock, systemClock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { type LoadDriver } from '../../load/engines/driver/load-driver.ts'
import { loadFunctions, type RunFunctions } from '../../load/engines/load-functions.ts'
import { runBenchmark } from '../../run/benchmark.ts'
import { keepTargets, type KeptTargets } from '../../run/kept-targets.ts'
import { createRunEnvironment } from '../../run/run-environment.ts'
import { listenForProgress } from '../../run/run-events.ts'
import { findSecrets } from '../../servers/targets/connection/redact.ts'
import { type StartContext } from '../../servers/targets/target.ts'
import { type LoadedSpec, loadSpecFile, type Overrides } from '../../spec/load-spec.ts'
import { shortenPhases, shortSeconds } from '../../spec/plan/shorten-phases.ts'
import { type CliContext } from '../cli-context.ts'
import { type RunFlags } from '../commands/run.ts'
import { readServers, readUris } from '../options/servers.ts'
import { type SpecFlags, toOverrides } from '../options/spec-options.ts'
import { createReportPrinter, makeReport } from '../results/write-report.ts'
import { findSpecs } from '../specs/find-specs.ts'
import { createContextFromFlags } from '../start-context.ts'
import { showError } from '../terminal/show-error.ts'
import { showProgress } from '../terminal/show-progress.ts'
import { rerunOnSave, type WatchedFile } from './rerun-on-save.ts'

/** How a file is looked at. Passed in, so that tests hand in its events. */
export type WatchOptions = { readonly watchFile?: (file: string) => WatchedFile; readonly clock?: Clock }

/** Runs a smoke of a spec whenever it is saved, and prints its report. Nothing is written, and servers that can stay do. */
export async function watchSpec(
  given: readonly string[],
  flags: SpecFlags & Pick<RunFlags, 'uri' | 'target' | 'mongod' | 'allowRemote'>,
  driver: LoadDriver | undefined,
  cli: CliContext,
  { watchFile = watchFolder, clock = systemClock }: WatchOptions = {},
): Promise<void> {
  const [file, ...others] = (await Promise.all(given.map(findSpecs))).flat()
  if (file === undefined || others.length > 0)
    throw new Problem('usage', '--watch takes one spec', { hint: 'Name the file that you are writing.' })
  const { stop } = cli
  const uris = readUris(flags.uri ?? [], cli.env, readServers(flags.servers ?? []))
  const functions = await loadFunctions(flags.functions ?? {})
  const existing = flags.target === 'existing' || uris.replacement !== undefined
  const overrides = { ...toOverrides(flags), existing, functions: functions.named }
  const secrets = uris.all.flatMap(findSecrets)
  await using start = createContextFromFlags(flags, uris, cli)
  await using targets = keepTargets(stop)
  const context = { overrides, driver, functions, secrets, start, targets }
  await rerunOnSave(
    async (signal) => {
      await runSmoke(file, { ...context, signal }, cli)
      if (stop.aborted) return
      if (signal.aborted) cli.printStatus(`${file} was saved: begins anew\n`)
      else cli.printStatus(`waiting for the next save of ${file}; Ctrl-C ends it\n`)
    },
    { file: watchFile(file), clock, stop },
  )
}

type SmokeContext = {
  readonly overrides: Overrides
  readonly driver: LoadDriver | undefined
  readonly functions: RunFunctions
  readonly secrets: readonly string[]
  readonly start: StartContext
  readonly targets: KeptTargets
  readonly signal: AbortSignal
}

/** Runs a spec, unless it is not valid. Whatever a save can mend is shown, and ends nothing. */
async function runSmoke(file: string, context: SmokeContext, cli: CliContext): Promise<void> {
  const { signal, targets, ...given } = context
  const start = { ...given.start, signal }
  const listeners = [listenForProgress(showProgress(cli, systemClock.now, 0).onProgress)]
  try {
    const spec = await loadSmoke(file, given.overrides, cli)
    const result = await runBenchmark(spec, createRunEnvironment(start, { ...given, listeners }), { start, targets })
    if (!signal.aborted) createReportPrinter('text', { count: 1 }, cli).add(makeReport(result, {}, cli), result)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (!signal.aborted) await showError(error, cli)
    // Servers may be what has failed.
    if (error.code !== 'spec-invalid') await targets.drop()
  }
}

/** Loads a spec to be run once, with its profile "smoke" where it has one and no other was asked for. */
async function loadSmoke(file: string, overrides: Overrides, cli: CliContext): Promise<LoadedSpec> {
  const once = { times: 1, startUpRuns: 0, rerunSlow: 0 }
  const spec = { ...(await loadSpecFile(file, overrides)), repeat: once }
  if (overrides.profile !== undefined) return spec
  if (spec.profiles.includes('smoke'))
    return { ...(await loadSpecFile(file, { ...overrides, profile: 'smoke' })), repeat: once }
  cli.printStatus(`${file} has no profile "smoke": measured phases end after ${shortSeconds} s\n`)
  return shortenPhases(spec)
}

/** Watches the folder of a file: one that an editor renames to it is another file. */
const watchFolder = (file: string): WatchedFile => ({
  listen(onEvent) {
    const watcher = watch(dirname(file), (_, name) => {
      if (name === null || name === basename(file)) onEvent()
    })
    return () => watcher.close()
  },
  read: () => readFile(file, 'utf8').catch(() => undefined),
})
