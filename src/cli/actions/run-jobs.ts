import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { systemClock } from '../../core/clock.ts'
import { Problem, hintWithoutResume, problems } from '../../core/errors.ts'
import { formatQuantity } from '../../core/quantities.ts'
import {
  type Verdict,
  missText,
  thresholdVerdicts,
  unforeseenFailures,
  unforeseenFaults,
} from '../../metrics/thresholds.ts'
import { holdsNowhere, listSearches } from '../../report/prose/search-text.ts'
import { type ResultFile, createResultFile } from '../../results/files/result-file.ts'
import { readResult } from '../../results/files/results-file.ts'
import { firstFinding, violatedChecks } from '../../results/row-checks.ts'
import type { Result } from '../../results/schema.ts'
import { type BenchmarkOptions, endedByThreshold, runBenchmark } from '../../run/benchmark.ts'
import { databaseLeft } from '../../run/data/database-left.ts'
import { type EnvironmentOptions, createRunEnvironment } from '../../run/run-environment.ts'
import { type OnProgress, type RunListener, listenForProgress } from '../../run/run-events.ts'
import { redact } from '../../servers/targets/connection/redact.ts'
import type { LoadedSpec } from '../../spec/load-spec.ts'
import type { CliContext } from '../cli-context.ts'
import type { RunFlags } from '../commands/run.ts'
import type { ReportFormat } from '../options/output-options.ts'
import { annotateMisses } from '../results/annotate-misses.ts'
import type { OpenDocument } from '../results/into-document.ts'
import { chooseFormat, isForPeople } from '../results/print-as.ts'
import type { UseBaselines } from '../results/use-baselines.ts'
import {
  createReportPrinter,
  loadWriters,
  makeReport,
  nothingMeasured,
  previousKept,
  showReportPlace,
  whatStays,
  writeResultReport,
} from '../results/write-report.ts'
import { logEvents } from '../terminal/logger.ts'
import { showError } from '../terminal/show-error.ts'
import { showProgress } from '../terminal/show-progress.ts'
import { describeTime } from './describe-plan.ts'
import type { LiveOutputs } from './live-outputs.ts'

/** Runs one spec after the other, and prints, writes and judges what was measured. */
export async function runJobs(jobs: readonly Job[], context: RunContext, cli: CliContext): Promise<void> {
  const { strict = false } = context.flags
  const format = chooseFormat(context.flags.format, cli)
  const printer = createReportPrinter(format, { count: jobs.length, strict }, cli)
  const failures: string[] = []
  await loadWriters()
  try {
    for (const job of jobs) {
      const attempt = await tryToRun(job, context, cli)
      const { problem } = attempt
      if (problem) {
        failures.push(`${job.spec.name} was not measured: ${problem.message}\n`)
        cli.exitWith(await showError(problem, cli))
      }
      await showAttempt(attempt, job, { context, format, printer }, cli)
      if (!problem) await judgeAttempt(attempt, job, { context, format, printer }, cli)
      if (cli.stop.aborted) return cli.exitWith(problems.aborted.exitCode)
    }
  } finally {
    printer.end()
    // Repeated at the end: they may have been printed hours ago.
    if (jobs.length > 1) for (const failure of failures) cli.printStatus(redact(failure, context.secrets))
  }
}

type Printing = {
  readonly context: RunContext
  readonly format: ReportFormat
  readonly printer: ReturnType<typeof createReportPrinter>
}

/** Prints and writes the report of a spec, and says what is left of it. */
async function showAttempt(
  { result, problem, isWritten }: Attempt,
  { spec, folder, file }: Job,
  { context, format, printer }: Printing,
  cli: CliContext,
): Promise<void> {
  const { quiet, reference = false } = context.flags
  const report = makeReport(result, { reference }, cli)
  const isShown = !problem || !isForPeople(format) || hasMeasured(result)
  if (isShown) printer.add(report, result, spec.file)
  if (isWritten) {
    await writeResultReport(result, report, folder, cli)
    if (!quiet && isShown) showReportPlace({ folder, format }, cli)
    await context.document?.addWhenDone(result, { result: file, charts: folder })
  } else cli.printStatus(nothingMeasured(file))
  if (!quiet && problem?.code !== 'target-unreachable' && result.variants.length > 0)
    cli.printStatus(whatStays(databaseLeft(spec, context)))
}

/** Whether there is a figure to show: of a run that measured nothing, people need the error alone. */
const hasMeasured = ({ variants }: Result): boolean => variants.some(({ phases }) => phases.length > 0)

/** Ends with the exit code of a result, and compares it with its baselines. */
async function judgeAttempt(
  { result }: Attempt,
  { spec, folder }: Job,
  { context, format, printer }: Printing,
  cli: CliContext,
): Promise<void> {
  const { search, strict = false } = context.flags
  const exitCode = judge(result, { printStatus: cli.printStatus, isShown: format === 'text', strict })
  cli.exitWith(exitCode)
  if (search !== undefined && listSearches(result).some((found) => holdsNowhere(found.search))) cli.exitWith(5)
  if (format === 'github') cli.printStatus(await annotateMisses(spec.file, listNotHeld(result), strict))
  await context.useBaselines({ result, folder, exitCode, onCompared: printer.addComparison })
}

type Attempt = {
  readonly result: Result
  /** Whether it is in its file. False: nothing was measured, and an earlier result is still there. */
  readonly isWritten: boolean
  readonly problem?: Problem
}

/** Runs one spec. If its server is not available, the other specs still run, and its partial result is kept. */
async function tryToRun(job: Job, context: RunContext, cli: CliContext): Promise<Attempt> {
  const output = createResultFile(job.file, {
    resumes: job.resume !== undefined,
    onPrevious: (place) => context.flags.quiet || cli.printStatus(previousKept(place)),
  })
  let result: Result | undefined
  const keepResult: RunListener = (event) => {
    if (event.kind === 'result') ({ result } = event)
  }
  try {
    result = await runJob(job, context, { output, keepResult }, cli)
    return { result, isWritten: output.isWritten() }
  } catch (error) {
    // With a full disk, the next spec would have no place for its result either.
    const mayGoOn = error instanceof Problem && problems[error.code].exitCode === 4 && error.code !== 'disk-full'
    if (result === undefined || !mayGoOn) {
      if (result !== undefined && !output.isWritten()) cli.printStatus(nothingMeasured(job.file))
      throw error
    }
    return { result, isWritten: output.isWritten(), problem: context.ownLoad ? ofReplay(error) : error }
  }
}

/** The problem of a replay, which is not resumed. */
const ofReplay = (error: Problem): Problem =>
  new Problem(error.code, error.message, {
    hint: hintWithoutResume(error.hint, 'Replay the recording again.'),
    cause: error,
  })

/** A spec that is to be run, and where its result goes. */
export type Job = Required<Pick<BenchmarkOptions, 'resume' | 'repeat'>> & {
  readonly spec: LoadedSpec
  readonly folder: string
  readonly file: string
  readonly specsAfter: number
}

/** Finds out where the result of a spec goes, and what of it is there to go on with. */
export async function toJob(
  spec: LoadedSpec,
  specsAfter: number,
  { out, resume, repeat, search }: RunFlags,
): Promise<Job> {
  const folder = join(out, search === undefined ? spec.name : `${spec.name}-size`)
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

/** Context that all specs of a run share. */
export type RunContext = Pick<BenchmarkOptions, 'start' | 'agents'> &
  Required<Pick<EnvironmentOptions, 'driver' | 'functions' | 'secrets'>> &
  Pick<EnvironmentOptions, 'ownLoad'> & {
    readonly flags: RunFlags
    readonly log: Logger
    readonly document: OpenDocument | undefined
    readonly useBaselines: UseBaselines
    readonly live: LiveOutputs
  }

/** From here on, one wants to know the length of a run before it shows by itself. */
const longSeconds = 60

async function runJob(
  job: Job,
  { flags, start, driver, functions, log, secrets, live, agents, ownLoad }: RunContext,
  { output, keepResult }: { readonly output: ResultFile; readonly keepResult: RunListener },
  cli: CliContext,
): Promise<Result> {
  const view = flags.quiet ? undefined : showProgress(cli, systemClock.now, job.specsAfter)
  const time = describeTime(job.spec.rows, job.repeat ?? job.spec.repeat.times)
  if (!flags.quiet && job.resume === undefined && time !== undefined && time.seconds > longSeconds)
    cli.printStatus(`${job.spec.name}: ${time.text}\n`)
  const watched = live.watch({
    spec: job.spec.name,
    resumed: job.resume !== undefined,
    secrets,
    terminal: cli.rewrites ? view?.onLive : undefined,
  })
  const shown: readonly OnProgress[] = [
    logEvents(log),
    ...(flags.showCommands ? [showCommands(cli)] : []),
    ...(view === undefined ? [] : [view.onProgress]),
  ]
  const listeners = [...shown.map(listenForProgress), keepResult, ...watched.listeners]
  const environment = createRunEnvironment(start, { driver, functions, secrets, listeners, ownLoad })
  let status: Result['status'] = 'failed'
  try {
    const { resume, repeat } = job
    const compact = flags.compact === true
    const result = await runBenchmark(job.spec, environment, { start, agents, output, resume, repeat, compact })
    ;({ status } = result)
    return result
  } finally {
    watched.end(status)
  }
}

/** Prints the commands of a run, so that users can repeat them by hand. */
function showCommands({ printStatus }: CliContext): OnProgress {
  return (event) => {
    if ('commands' in event && event.commands.length > 0) printStatus(`${event.commands.join('\n')}\n`)
  }
}

const listNotHeld = (result: Result): readonly Verdict[] =>
  thresholdVerdicts(result).filter(({ verdict }) => verdict !== 'held')

type Judging = Pick<CliContext, 'printStatus'> & Record<'isShown' | 'strict', boolean>

/**
 * Prints why a result is not good, and returns its exit code.
 * @param isShown Whether the report that was printed says what was missed.
 * @param strict Whether a threshold that was not judged counts as missed.
 */
function judge(result: Result, judging: Judging): number {
  const isEndedByThreshold = result.warnings.some(({ code }) => code === endedByThreshold)
  if (result.status === 'aborted' && !isEndedByThreshold) return problems.aborted.exitCode
  const areMissed = reportMisses(result, judging)
  if (isEndedByThreshold) judging.printStatus('the rows after it were not run\n')
  if (reportViolations(result, judging)) return 6
  if (areMissed || isEndedByThreshold) return 5
  return reportUnforeseen(result, judging) ? 7 : 0
}

/** @returns Whether a threshold was missed. */
function reportMisses(result: Result, { printStatus, isShown, strict }: Judging): boolean {
  const notHeld = listNotHeld(result)
  for (const one of isShown ? [] : notHeld) printStatus(`threshold ${one.verdict}: ${missText(one)}\n`)
  return notHeld.some(({ verdict }) => strict || verdict === 'missed')
}

/** @returns Whether a check was violated. */
function reportViolations(result: Result, { printStatus, isShown }: Judging): boolean {
  const violations = violatedChecks(result)
  for (const { label, check } of isShown ? [] : violations)
    printStatus(`check violated: ${check.name}${label === '' ? '' : ` in row "${label}"`}: ${firstFinding(check)}\n`)
  return violations.length > 0
}

/** @returns Whether operations or faults failed that no threshold allows. */
function reportUnforeseen(result: Result, { printStatus }: Judging): boolean {
  const failures = unforeseenFailures(result)
  if (failures > 0)
    printStatus(
      `${formatQuantity(failures, 'operation')} failed; a threshold such as "<phase>.errors < 10" allows a number of them\n`,
    )
  const faults = unforeseenFaults(result)
  if (faults > 0)
    printStatus(
      `${faults === 1 ? '1 fault was' : `${faults} faults were`} not injected or undone as specified; a threshold such as "<phase>.faultsFailed < 2" allows that\n`,
    )
  return failures > 0 || faults > 0
}
