import { runBenchmark } from './benchmark.ts'
import { systemClock } from './clock.ts'
import { type SpecInput } from './define-spec.ts'
import { type ApplicationDriver, loadDriverFrom } from './engines/driver/load-driver.ts'
import { loadFunctions } from './engines/load-functions.ts'
import { type FunctionOn, type OperationFunction } from './engines/operation-functions.ts'
import { loadSpec } from './given-spec.ts'
import { type LoadedSpec } from './load-spec.ts'
import { type RowCheck, violatedChecks } from './report/checks.ts'
import { type Report, type ReportOptions, renderReport } from './report/report.ts'
import { missedThresholds, thresholdVerdicts, unforeseenFailures, type Verdict } from './report/thresholds.ts'
import { type Result } from './results/schema.ts'
import { type Sink } from './run/own-sinks.ts'
import { type OnProgress } from './run/progress.ts'
import { refuseUnread, variablesRead } from './run/unread-uris.ts'
import { type Overrides } from './schema/overrides.ts'
import { secretsOf } from './targets/redact.ts'
import { thisMachine } from './targets/server/machine.ts'
import { createStartContext } from './targets/start-context.ts'

/** Options of `run`. Functions get the types of `On`, by default those of the driver of mongo-perf. */
export type RunOptions<On = FunctionOn> = Omit<Overrides, 'functions'> & {
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
  /**
   * The functions that operations of the kind `function` call, by their names; or the path of a module that exports them, which is loaded, by
   * each thread of a phase too. Default: none.
   */
  readonly functions?: string | Readonly<Record<string, OperationFunction<On>>>
  /** Take what is measured while phases run. Default: none. */
  readonly sinks?: readonly Sink[]
  /** Variables for finding server binaries (PATH, MONGOMS_SYSTEM_BINARY, MONGO_PERF_MONGOS, XDG_CACHE_HOME). Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Runs of every row. Default: as in the spec. */
  readonly repeat?: number
  /** Ends the running phase. The result then has the finished rows and the status "aborted". */
  readonly signal?: AbortSignal
  readonly onProgress?: OnProgress
  /** Path of a result.json, written after every row. Default: none. */
  readonly resultFile?: string
  /** Whether to drop time lines, histograms and individual timings. Default false. */
  readonly compact?: boolean
}

/**
 * Runs a spec and returns its result as plain data. Prints nothing, does not exit, and leaves no server running.
 * @throws {Problem} when the spec is invalid, a server is not available, or safety forbids it. Failed operations and violated checks do not throw: they are in the result, see `violatedChecks`.
 */
export async function run<On = FunctionOn>(spec: string | SpecInput, options: RunOptions<On> = {}): Promise<Result> {
  const {
    uri,
    uris = {},
    allowRemote = false,
    mongod,
    driver,
    functions = {},
    sinks,
    env = process.env,
    repeat,
    signal = new AbortController().signal,
    onProgress = () => {},
    resultFile,
    compact,
    ...others
  } = options
  const runFunctions = await loadFunctions(functions)
  const overrides = { ...others, functions: runFunctions.named }
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
    functions: runFunctions,
    sinks,
    clock: systemClock,
    signal,
    onProgress,
    resultFile,
    repeat,
    compact,
    secrets,
  })
}

/** Markdown, CSV and chart configurations of a result. Pure; `drawChart` makes a PNG of a configuration. */
export const report = (result: Result, options: ReportOptions = {}): Report => renderReport(result, options)

export { ab, type AbOptions } from './ab/ab.ts'
export type { AbOutcome, AbProgress } from './ab/run-rounds.ts'
export type { SideOptions } from './ab/sides.ts'
export { loadSpec }
export { Problem } from './errors.ts'
export { defineSpec, type Expression, type SpecInput } from './define-spec.ts'
export { documentSection, type ReportFiles } from './document/document-section.ts'
export { type DocumentSection, newDocument, updateDocument, type UpdatedDocument } from './document/update-document.ts'
export type { FunctionOn, FunctionValues, OperationFunction } from './engines/operation-functions.ts'
export type { PartOf } from './load/part-sink.ts'
export type { PhasePart } from './measure/phase-part.ts'
export type { ColumnScope, OwnColumn, OwnColumns } from './report/columns/own-column.ts'
export { withColumns } from './report/own-columns.ts'
export { type RowChoice, valueOf } from './report/value-of.ts'
export { compareResults, type CompareOptions } from './report/comparison/compare-results.ts'
export type { ComparedFigure, ComparedVerdict, LeftOut, ResultComparison } from './report/comparison/comparison.ts'
export type { DifferenceName } from './report/comparison/difference-names.ts'
export type { Difference } from './report/comparison/differences.ts'
export { drawChart } from './report/charts/png.ts'
export { readResult } from './results/results-file.ts'
export { missedThresholds, thresholdVerdicts, unforeseenFailures, violatedChecks }
export type { ApplicationDriver, LoadedSpec, OnProgress, Overrides, Report, ReportOptions, Result, RowCheck, Verdict }
export type { Sink } from './run/own-sinks.ts'
export type { Position, RunEvent } from './run/progress.ts'
export type { CheckResult, PhaseResult, VariantResult } from './results/schema.ts'
export type { OperationResult } from './results/schema/calls.ts'
export type { Warning } from './results/schema/warnings.ts'
