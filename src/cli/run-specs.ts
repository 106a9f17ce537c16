import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger } from 'pino'
import { type BenchmarkOptions, runBenchmark } from '../benchmark.ts'
import { systemClock } from '../clock.ts'
import { Problem, problems } from '../errors.ts'
import { type LoadedSpec } from '../load-spec.ts'
import { firstFinding, violatedChecks } from '../report/checks.ts'
import { missedThresholds, unforeseenFailures } from '../report/thresholds.ts'
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
import { findSpecs } from './find-specs.ts'
import { openDocument, type OpenDocument } from './into-document.ts'
import { type Loading, loadSpecs } from './load-specs.ts'
import { createLogger, logEvents } from './logger.ts'
import { makeReport } from './make-report.ts'
import { previousKept } from './previous-kept.ts'
import { createReportPrinter } from './print-reports.ts'
import { showError } from './show-error.ts'
import { showProgress } from './show-progress.ts'
import { readServers } from './servers.ts'
import { overridesOf } from './spec-options.ts'
import { startContextOf } from './start-context-of.ts'
import { readUris, type Uris } from './uris.ts'
import { type World } from './world.ts'
import { writeReport } from './write-report.ts'

/** Checks all specs, and looks for what they need, before the first one starts. Then runs one after the other and prints each report. */
export async function runSpecs(given: readonly string[], flags: RunFlags, world: World): Promise<void> {
  const uris = readUris(flags.uri ?? [], world.env, readServers(flags.servers ?? []))
  refuseOtherTargets(flags, uris)
  const existing = flags.target === 'existing' || uris.replacement !== undefined
  const files = (await Promise.all(given.map(findSpecs))).flat()
  const overrides = { ...overridesOf(flags), existing }
  const { loadings, notes } = await loadSpecs(files, overrides)
  const specs = specsOf(loadings)
  // Rows that --only leaves out have names too.
  if (uris.named.length > 0) {
    const whole = await loadSpecs(files, { ...overrides, only: [], thresholds: [] })
    refuseUnread(uris.named, variablesRead(specsOf(whole.loadings)))
  }
  for (const note of notes) world.tell(note)
  refuseSharedFolders(specs)
  const jobs = await Promise.all(specs.map((spec, i) => toJob(spec, specs.length - i - 1, flags)))
  const document =
    flags.into === undefined
      ? undefined
      : await openDocument(flags.into, world, { ...flags, specs: given, results: jobs })
  const secrets = uris.all.flatMap(secretsOf)
  const log = createLogger({ level: flags.logLevel, json: flags.logJson === true, secrets }, world)
  if (!flags.quiet) world.tell(unreadVariables(uris, variablesRead(specs)))
  await using start = startContextOf(flags, uris, world, (message) => log.info(message))
  preflightUris(
    jobs.flatMap((job) => targetsToRun(planTurns(job.spec, job))),
    start,
  )
  await runJobs(jobs, { flags, start, log, secrets, document }, world)
}

/** @throws What is wrong with the first spec that cannot run: nothing has been started yet. */
const specsOf = (loadings: readonly Loading[]): readonly LoadedSpec[] =>
  loadings.flatMap((loading) => {
    if (loading.kind === 'failed') throw loading.error
    return loading.kind === 'loaded' ? loading.spec : []
  })

async function runJobs(jobs: readonly Job[], context: RunContext, world: World): Promise<void> {
  const { document, flags } = context
  const { format, quiet, reference = false } = flags
  const printer = createReportPrinter(format, jobs.length, world)
  const failures: string[] = []
  try {
    for (const job of jobs) {
      const { spec, folder, file } = job
      const { result, problem } = await tryToRun(job, context, world)
      if (problem) {
        failures.push(`${spec.name} was not measured: ${problem.message}\n`)
        world.exitWith(await showError(problem, world))
      }
      const report = makeReport(result, { reference }, world)
      printer.add(report)
      const written = await writeReport(report, folder)
      if (!quiet) {
        world.tell(`written to ${folder}: ${['result.json', ...written].join(', ')}\n`)
        if (problem?.code !== 'target-unreachable') world.tell(whatStays(spec, result))
      }
      await document?.addWhenDone(result, { result: file, charts: folder })
      if (!problem) world.exitWith(judge(result, world))
      if (world.stop.aborted) return world.exitWith(problems.aborted.exitCode)
    }
  } finally {
    printer.end()
    // They were told where they came up, which may be hours ago.
    if (jobs.length > 1) for (const failure of failures) world.tell(redact(failure, context.secrets))
  }
}

type Attempt = { readonly result: Result; readonly problem?: Problem }

/** A server that cannot be had is the matter of one spec, and the others go on. What its result holds so far is kept. */
async function tryToRun(job: Job, context: RunContext, world: World): Promise<Attempt> {
  try {
    return { result: await runJob(job, context, world) }
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
  // A spec of several that was not begun has nothing to go on with.
  return {
    spec,
    folder,
    file,
    specsAfter,
    repeat,
    resume: resume && existsSync(file) ? await readResult(file) : undefined,
  }
}

type RunContext = Pick<BenchmarkOptions, 'start' | 'secrets'> & {
  readonly flags: RunFlags
  readonly log: Logger
  readonly document: OpenDocument | undefined
}

async function runJob(job: Job, { flags, start, log, secrets }: RunContext, world: World): Promise<Result> {
  const listeners: readonly OnProgress[] = [
    logEvents(log),
    ...(flags.showCommands ? [showCommands(world)] : []),
    ...(flags.quiet ? [] : [showProgress(world, systemClock.now, job.specsAfter)]),
  ]
  if (job.resume === undefined) {
    const previous = await keepPrevious(job.file)
    if (previous !== null && !flags.quiet) world.tell(previousKept(previous))
  }
  return await runBenchmark(job.spec, {
    start,
    clock: systemClock,
    signal: world.stop,
    onProgress: (event) => listeners.forEach((listen) => listen(event)),
    resultFile: job.file,
    resume: job.resume,
    repeat: job.repeat,
    compact: flags.compact === true,
    secrets,
  })
}

/** A server that we did not start keeps what was loaded into it: the next run, and people, may want to look. */
function whatStays({ name, rows }: LoadedSpec, { variants }: Result): string {
  const isForeign = variants.some(({ server }) => server?.startedByUs === false)
  if (!isForeign || !rows.some((row) => needsDatabase(row.spec))) return ''
  return `the data stays on the server, in the database ${databaseOf(name)}: drop it when nobody needs it\n`
}

function refuseOtherTargets({ servers, target, reference }: RunFlags, { replacement }: Uris): void {
  if (servers === undefined) return
  if (replacement !== undefined || target !== undefined)
    throw new Problem(
      'usage',
      '--servers names the servers to measure, and so does --uri without a name, or --target',
      {
        hint: 'Give --servers alone: --servers small=mongodb://…,large=mongodb://…',
      },
    )
  if (reference)
    throw new Problem('usage', '--reference compares the rows of one server with published figures', {
      hint: 'Leave it out, or measure each server in a run of its own.',
    })
}

/** They may be set for other commands: a note, and no error. */
function unreadVariables({ inEnvironment }: Uris, read: ReadonlySet<string>): string {
  const unread = inEnvironment.filter((variable) => !read.has(variable))
  if (unread.length === 0) return ''
  const way = unread.includes('MONGO_PERF_URI') ? '; --target existing measures the server of MONGO_PERF_URI' : ''
  return `${unread.join(', ')}: set, but no target of this run reads it${way}\n`
}

/** For people who want to do the same by hand. */
function showCommands({ tell }: World): OnProgress {
  return (event) => {
    if ('commands' in event && event.commands.length > 0) tell(`${event.commands.join('\n')}\n`)
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

/** The exit code of a result, with the reasons told. */
function judge(result: Result, { tell }: World): number {
  const isEndedByThreshold = result.warnings.some(({ code }) => code === endedByThreshold)
  if (result.status === 'aborted' && !isEndedByThreshold) return problems.aborted.exitCode
  const misses = missedThresholds(result)
  for (const { threshold, label, measured, misses: rows } of misses) {
    const figure = measured === null ? 'nothing was measured' : `measured ${Number(measured.toPrecision(6))}`
    const others = rows > 1 ? `, and missed in ${rows - 1} more` : ''
    tell(`threshold missed: ${threshold}${label === '' ? '' : ` in row "${label}"`}: ${figure}${others}\n`)
  }
  if (isEndedByThreshold) tell('the rows after it were not run\n')
  const violations = violatedChecks(result)
  for (const { label, check } of violations)
    tell(`check violated: ${check.name}${label === '' ? '' : ` in row "${label}"`}: ${firstFinding(check)}\n`)
  if (violations.length > 0) return 6
  if (misses.length > 0 || isEndedByThreshold) return 5
  const failures = unforeseenFailures(result)
  if (failures > 0)
    tell(`${failures} operations failed; a threshold such as "<phase>.errors < 10" would say how many may\n`)
  return failures > 0 ? 7 : 0
}
