import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger } from 'pino'
import { redisSecrets } from '../agents/redis-secrets.ts'
import { refuseForAgents } from '../agents/coordinator/refuse-for-agents.ts'
import { type AgentSession } from '../agents/coordinator/session.ts'
import { type BenchmarkOptions, runBenchmark } from '../benchmark.ts'
import { systemClock } from '../clock.ts'
import { findDriver, requireDriver } from '../engines/driver/installed-driver.ts'
import { type LoadDriver, loadDriverFrom, ourDriver } from '../engines/driver/load-driver.ts'
import { loadFunctions } from '../engines/load-functions.ts'
import { Problem, problems } from '../errors.ts'
import { type LoadedSpec } from '../load-spec.ts'
import { firstFinding, violatedChecks } from '../report/checks.ts'
import { missedThresholds, unforeseenFailures } from '../metrics/thresholds.ts'
import { keepPrevious } from '../results/keep-previous.ts'
import { readResult } from '../results/results-file.ts'
import { type Result } from '../results/schema.ts'
import { needsDatabase } from '../run/data/prepare-data.ts'
import { endedByThreshold } from '../run/end-early.ts'
import { planTurns, targetsToRun } from '../run/plan-turns.ts'
import { preflightUris } from '../run/preflight-targets.ts'
import { type OnProgress } from '../run/progress.ts'
import { refuseUnread, variablesRead } from '../run/unread-uris.ts'
import { databaseOf } from '../targets/ownership.ts'
import { redact, secretsOf } from '../targets/redact.ts'
import { type RunFlags } from './commands/run.ts'
import { findSpecs } from './specs/find-specs.ts'
import { openDocument, type OpenDocument } from './results/into-document.ts'
import { type Loading, loadSpecs } from './specs/load-specs.ts'
import { type LiveOutputs, openLiveOutputs } from './live-outputs.ts'
import { createLogger, logEvents } from './terminal/logger.ts'
import { makeReport } from './results/make-report.ts'
import { previousKept } from './results/previous-kept.ts'
import { createReportPrinter } from './results/print-reports.ts'
import { showError } from './terminal/show-error.ts'
import { showProgress } from './terminal/show-progress.ts'
import { queueOfRun } from './options/queue-option.ts'
import { readServers } from './options/servers.ts'
import { overridesOf } from './options/spec-options.ts'
import { startContextOf } from './start-context-of.ts'
import { readUris, type Uris } from './options/uris.ts'
import { openBaselines, type UseBaselines } from './results/use-baselines.ts'
import { type CliContext } from './cli-context.ts'
import { writeResultReport } from './results/write-report.ts'

/** Validates all specs and finds what they need before the first one starts. Then runs one after the other and prints each report. */
export async function runSpecs(given: readonly string[], flags: RunFlags, cli: CliContext): Promise<void> {
  const uris = readUris(flags.uri ?? [], cli.env, readServers(flags.servers ?? []))
  refuseOtherTargets(flags, uris)
  const queue = queueOfRun(flags, cli.env)
  const existing = flags.target === 'existing' || uris.replacement !== undefined
  const files = (await Promise.all(given.map(findSpecs))).flat()
  const functions = await loadFunctions(flags.functions ?? {})
  const overrides = { ...overridesOf(flags), existing, functions: functions.named }
  const { loadings, notes } = await loadSpecs(files, overrides)
  const specs = specsOf(loadings)
  // Rows that --only leaves out may read variables too.
  if (uris.named.length > 0) {
    const whole = await loadSpecs(files, { ...overrides, only: [], thresholds: [] })
    refuseUnread(uris.named, variablesRead(specsOf(whole.loadings)))
  }
  for (const note of notes) cli.printStatus(note)
  refuseSharedFolders(specs)
  const jobs = await Promise.all(specs.map((spec, i) => toJob(spec, specs.length - i - 1, flags)))
  const document =
    flags.into === undefined
      ? undefined
      : await openDocument(flags.into, cli, { ...flags, specs: given, results: jobs })
  const useBaselines = await openBaselines(specs, flags, flags.format === 'md' ? cli.print : cli.printStatus, cli)
  const secrets = [...uris.all.flatMap(secretsOf), ...(queue === undefined ? [] : redisSecrets(queue))]
  const driver = await driverOf(flags)
  const log = createLogger({ level: flags.logLevel, json: flags.logJson === true, secrets }, cli)
  if (!flags.quiet) cli.printStatus(unreadVariables(uris, variablesRead(specs)))
  await using start = startContextOf(flags, uris, cli, (message) => log.info(message))
  preflightUris(
    jobs.flatMap((job) => targetsToRun(planTurns(job.spec, job))),
    start,
  )
  await using live = await openLiveOutputs(flags, systemClock, cli)
  if (queue !== undefined) for (const spec of specs) refuseForAgents(spec, driver ?? ourDriver())
  await using agents = queue === undefined ? undefined : await agentsAt(queue, flags, cli)
  await runJobs(jobs, { flags, start, driver, functions, log, secrets, document, useBaselines, live, agents }, cli)
}

/** @throws The error of the first spec that cannot run, before anything is started. */
const specsOf = (loadings: readonly Loading[]): readonly LoadedSpec[] =>
  loadings.flatMap((loading) => {
    if (loading.kind === 'failed') throw loading.error
    return loading.kind === 'loaded' ? loading.spec : []
  })

async function runJobs(jobs: readonly Job[], context: RunContext, cli: CliContext): Promise<void> {
  const { document, flags, useBaselines } = context
  const { format, quiet, reference = false } = flags
  const printer = createReportPrinter(format, jobs.length, cli)
  const failures: string[] = []
  try {
    for (const job of jobs) {
      const { spec, folder, file } = job
      const { result, problem } = await tryToRun(job, context, cli)
      if (problem) {
        failures.push(`${spec.name} was not measured: ${problem.message}\n`)
        cli.exitWith(await showError(problem, cli))
      }
      const report = makeReport(result, { reference }, cli)
      printer.add(report, result)
      const written = await writeResultReport(result, report, folder)
      if (!quiet) {
        cli.printStatus(`written to ${folder}: ${['result.json', ...written].join(', ')}\n`)
        if (problem?.code !== 'target-unreachable') cli.printStatus(whatStays(spec, result))
      }
      await document?.addWhenDone(result, { result: file, charts: folder })
      if (!problem) {
        const exitCode = judge(result, cli)
        cli.exitWith(exitCode)
        await useBaselines({ result, folder, exitCode })
      }
      if (cli.stop.aborted) return cli.exitWith(problems.aborted.exitCode)
    }
  } finally {
    printer.end()
    // Repeated at the end: they may have been printed hours ago.
    if (jobs.length > 1) for (const failure of failures) cli.printStatus(redact(failure, context.secrets))
  }
}

type Attempt = { readonly result: Result; readonly problem?: Problem }

/** Runs one spec. If its server is not available, the other specs still run, and its partial result is kept. */
async function tryToRun(job: Job, context: RunContext, cli: CliContext): Promise<Attempt> {
  try {
    return { result: await runJob(job, context, cli) }
  } catch (error) {
    if (!(error instanceof Problem) || problems[error.code].exitCode !== 4) throw error
    return { result: await readResult(job.file), problem: error }
  }
}

type Job = Required<Pick<BenchmarkOptions, 'resume' | 'repeat'>> & {
  readonly spec: LoadedSpec
  readonly folder: string
  readonly file: string
  readonly specsAfter: number
}

async function toJob(spec: LoadedSpec, specsAfter: number, { out, resume, repeat }: RunFlags): Promise<Job> {
  const folder = join(out, spec.name)
  const file = join(folder, 'result.json')
  // Of several specs, only those that began can be resumed.
  return {
    spec,
    folder,
    file,
    specsAfter,
    repeat,
    resume: resume && existsSync(file) ? await readResult(file) : undefined,
  }
}

type RunContext = Pick<BenchmarkOptions, 'start' | 'driver' | 'functions' | 'secrets' | 'agents'> & {
  readonly flags: RunFlags
  readonly log: Logger
  readonly document: OpenDocument | undefined
  readonly useBaselines: UseBaselines
  readonly live: LiveOutputs
}

async function runJob(
  job: Job,
  { flags, start, driver, functions, log, secrets, live, agents }: RunContext,
  cli: CliContext,
): Promise<Result> {
  const view = flags.quiet ? undefined : showProgress(cli, systemClock.now, job.specsAfter)
  if (job.resume === undefined) {
    const previous = await keepPrevious(job.file)
    if (previous !== null && !flags.quiet) cli.printStatus(previousKept(previous))
  }
  const watched = live.watch({
    spec: job.spec.name,
    resumed: job.resume !== undefined,
    secrets,
    terminal: cli.rewrites ? view?.onLive : undefined,
  })
  const listeners: readonly OnProgress[] = [
    logEvents(log),
    ...(flags.showCommands ? [showCommands(cli)] : []),
    ...(view === undefined ? [] : [view.onProgress]),
    ...watched.listeners,
  ]
  let status: Result['status'] = 'failed'
  try {
    const result = await runBenchmark(job.spec, {
      start,
      driver,
      functions,
      agents,
      clock: systemClock,
      signal: cli.stop,
      onProgress: (event) => listeners.forEach((listen) => listen(event)),
      ...watched.observers,
      resultFile: job.file,
      resume: job.resume,
      repeat: job.repeat,
      compact: flags.compact === true,
      secrets,
    })
    ;({ status } = result)
    return result
  } finally {
    watched.end(status)
  }
}

const driverOf = async ({ driver }: RunFlags): Promise<LoadDriver | undefined> =>
  driver === undefined ? undefined : loadDriverFrom(requireDriver(findDriver(driver, process.cwd())))

/** The agents that make the load. */
async function agentsAt(queue: string, { minAgents = 1, quiet }: RunFlags, cli: CliContext): Promise<AgentSession> {
  const { joinAgents } = await import('../agents/coordinator/join-agents.ts')
  const report = (text: string): void => {
    if (!quiet) cli.printStatus(text)
  }
  const session = await joinAgents({
    queue,
    minAgents,
    clock: systemClock,
    signal: cli.stop,
    onWaiting: (there) => report(`waits for agents: ${there} of ${minAgents} are there and idle\n`),
  })
  report(
    `load from ${session.names.length === 1 ? '1 agent' : `${session.names.length} agents`}: ${session.names.join(', ')}\n`,
  )
  return session
}

/** Data on an existing server is kept for the next run and for inspection. */
function whatStays({ name, rows }: LoadedSpec, { variants }: Result): string {
  const isForeign = variants.some(({ server }) => server?.startedByUs === false)
  if (!isForeign || !rows.some((row) => needsDatabase(row.spec))) return ''
  return `the data stays on the server, in the database ${databaseOf(name)}: drop it when it is no longer needed\n`
}

function refuseOtherTargets({ servers, target, reference }: RunFlags, { replacement }: Uris): void {
  if (servers === undefined) return
  if (replacement !== undefined || target !== undefined)
    throw new Problem('usage', '--servers names the servers to measure, and so do --uri without a name and --target', {
      hint: 'Give --servers alone: --servers small=mongodb://…,large=mongodb://…',
    })
  if (reference)
    throw new Problem('usage', '--reference compares the rows of one server with published figures', {
      hint: 'Leave it out, or measure each server in a run of its own.',
    })
}

/** A note about variables that no target reads. No error, because they may be set for other commands. */
function unreadVariables({ inEnvironment }: Uris, read: ReadonlySet<string>): string {
  const unread = inEnvironment.filter((variable) => !read.has(variable))
  if (unread.length === 0) return ''
  const way = unread.includes('MONGO_PERF_URI') ? '; --target existing measures the server of MONGO_PERF_URI' : ''
  return `${unread.join(', ')}: set, but no target of this run reads it${way}\n`
}

/** Prints the commands of a run, so that users can repeat them by hand. */
function showCommands({ printStatus }: CliContext): OnProgress {
  return (event) => {
    if ('commands' in event && event.commands.length > 0) printStatus(`${event.commands.join('\n')}\n`)
  }
}

function refuseSharedFolders(specs: readonly LoadedSpec[]): void {
  for (const [i, { name, file }] of specs.entries()) {
    const other = specs.findIndex((spec) => spec.name === name)
    if (other === i) continue
    throw new Problem(
      'usage',
      `${file} and ${specs[other]?.file} have the same name "${name}", so the same folder of results`,
      { hint: 'Give one of them another "name", or run them apart with --out.' },
    )
  }
}

/** Prints why a result is not good, and returns its exit code. */
function judge(result: Result, { printStatus }: CliContext): number {
  const isEndedByThreshold = result.warnings.some(({ code }) => code === endedByThreshold)
  if (result.status === 'aborted' && !isEndedByThreshold) return problems.aborted.exitCode
  const misses = missedThresholds(result)
  for (const { threshold, label, measured, reason, misses: rows } of misses) {
    const figure = measured === null ? reason : `measured ${Number(measured.toPrecision(6))}`
    const others = rows > 1 ? `, and missed in ${rows - 1} more` : ''
    printStatus(`threshold missed: ${threshold}${label === '' ? '' : ` in row "${label}"`}: ${figure}${others}\n`)
  }
  if (isEndedByThreshold) printStatus('the rows after it were not run\n')
  const violations = violatedChecks(result)
  for (const { label, check } of violations)
    printStatus(`check violated: ${check.name}${label === '' ? '' : ` in row "${label}"`}: ${firstFinding(check)}\n`)
  if (violations.length > 0) return 6
  if (misses.length > 0 || isEndedByThreshold) return 5
  const failures = unforeseenFailures(result)
  if (failures > 0)
    printStatus(`${failures} operations failed; a threshold such as "<phase>.errors < 10" allows a number of them\n`)
  return failures > 0 ? 7 : 0
}
