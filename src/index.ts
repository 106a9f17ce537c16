import { runBenchmark } from './benchmark.ts'
import { systemClock } from './clock.ts'
import { type ApplicationDriver, loadDriverFrom } from './engines/driver/load-driver.ts'
import { loadSpec } from './given-spec.ts'
import { type LoadedSpec } from './load-spec.ts'
import { type RowCheck, violatedChecks } from './report/checks.ts'
import { type Report, type ReportOptions, renderReport } from './report/report.ts'
import { missedThresholds, thresholdVerdicts, unforeseenFailures, type Verdict } from './report/thresholds.ts'
import { type Result } from './results/schema.ts'
import { type OnProgress } from './run/progress.ts'
import { refuseUnread, variablesRead } from './run/unread-uris.ts'
import { type Overrides } from './schema/overrides.ts'
import { type SpecInput } from './spec-input.ts'
import { secretsOf } from './targets/redact.ts'
import { thisMachine } from './targets/server/machine.ts'
import { createStartContext } from './targets/start-context.ts'

/** Options of `run`. */
export interface RunOptions extends Overrides {
  /** Measure this server instead of the target of the spec. A secret: it appears in no result and no message. */
  readonly uri?: string
  /** URIs of existing targets, by the variable that the spec names. */
  readonly uris?: Readonly<Record<string, string>>
  /** Whether servers on other machines are allowed. Default false. */
  readonly allowRemote?: boolean
  /** Path of the `mongod` to start. Default: the one that `mongo-perf doctor` shows. */
  readonly mongod?: string
  /**
   * The driver that sends the calls, as your application imports it: `import * as mongodb from 'mongodb'`. Servers are set up
   * and observed with the driver of mongo-perf. Default: that driver for everything.
   */
  readonly driver?: ApplicationDriver
  /** Variables for finding server binaries (PATH, MONGOMS_SYSTEM_BINARY, MONGO_PERF_MONGOS, XDG_CACHE_HOME). Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Runs of every row. Default: as in the spec. */
  readonly repeat?: number
  /** Ends the running phase. The result then has the finished rows and the status "aborted". */
  readonly signal?: AbortSignal
  /** Called with each event of the run: a row that is done, and once a second the progress of a load or a phase. Default: none. */
  readonly onProgress?: OnProgress
  /** Path of a result.json, written after every row. Default: none. */
  readonly resultFile?: string
  /** Whether to drop time lines, histograms and individual timings. Default false. */
  readonly compact?: boolean
}

/**
 * Runs a spec and returns its result as plain data. Prints nothing, does not exit, and leaves no server running.
 * @param spec A spec made with `defineSpec`, or the path of a file.
 * @throws {Problem} when the spec is invalid, a server is not available, or safety forbids it. Failed operations and violated checks do not throw: they are in the result, see `violatedChecks`.
 */
export async function run(spec: string | SpecInput, options: RunOptions = {}): Promise<Result> {
  const {
    uri,
    uris = {},
    allowRemote = false,
    mongod,
    driver,
    env = process.env,
    repeat,
    signal = new AbortController().signal,
    onProgress = () => {},
    resultFile,
    compact,
    ...overrides
  } = options
  const loaded = await loadSpec(spec, uri === undefined ? overrides : { ...overrides, existing: true })
  const known = uri === undefined ? uris : { ...uris, MONGO_PERF_URI: uri }
  const given = Object.keys(uris)
  if (given.length > 0) refuseUnread(given, variablesRead([await loadSpec(spec, { ...loaded.overrides, only: [] })]))
  const loadDriver = driver && (await loadDriverFrom(driver))
  await using start = createStartContext({
    machine: thisMachine(env),
    mongod,
    uri: (variable) => known[variable],
    allowRemote,
    signal,
    log: () => {},
  })
  const secrets = Object.values(known).flatMap(secretsOf)
  return await runBenchmark(loaded, {
    start,
    driver: loadDriver,
    clock: systemClock,
    signal,
    onProgress,
    resultFile,
    repeat,
    compact,
    secrets,
  })
}

/** Renders the report of a result: Markdown, CSV, JSON and chart configurations. Pure; `drawChart` makes a PNG of a configuration. */
export const report = (result: Result, options: ReportOptions = {}): Report => renderReport(result, options)

export { ab, type AbOptions } from './ab/ab.ts'
export type { AbOutcome, AbProgress } from './ab/run-rounds.ts'
export type { SideOptions } from './ab/sides.ts'
export { loadSpec }
export { Problem } from './errors.ts'
export { defineSpec } from './define-spec.ts'
export type {
  Check,
  DataSet,
  Expression,
  Fault,
  Load,
  Operation,
  Phase,
  SpecInput,
  Target,
  Value,
} from './spec-input.ts'
export { documentSection, type ReportFiles } from './document/document-section.ts'
export { type DocumentSection, newDocument, updateDocument, type UpdatedDocument } from './document/update-document.ts'
export { type RowChoice, valueOf } from './report/value-of.ts'
export { compareResults, type CompareOptions } from './report/comparison/compare-results.ts'
export type { ComparedFigure, ComparedVerdict, LeftOut, ResultComparison } from './report/comparison/comparison.ts'
export type { DifferenceName } from './report/comparison/difference-names.ts'
export type { Difference } from './report/comparison/differences.ts'
export { drawChart } from './report/charts/png.ts'
export { readResult } from './results/results-file.ts'
export { missedThresholds, thresholdVerdicts, unforeseenFailures, violatedChecks }
export type { ApplicationDriver, LoadedSpec, OnProgress, Overrides, Report, ReportOptions, Result, RowCheck, Verdict }
export type { RunEvent } from './run/progress.ts'
export type { CheckResult, PhaseResult, VariantResult } from './results/schema.ts'
export type { OperationResult } from './results/schema/calls.ts'
export type { Warning } from './results/schema/warnings.ts'
