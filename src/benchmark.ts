import * as os from 'node:os'
import { dirname } from 'node:path'
import { type Clock } from './clock.ts'
import { Problem } from './errors.ts'
import { clientOptions } from './engines/driver/driver-engine.ts'
import { type LoadedSpec } from './load-spec.ts'
import { describeEnvironment } from './results/environment.ts'
import { notMeasuredHere } from './report/provenance.ts'
import { prepareOutput, writeResult } from './results/results-file.ts'
import { packResult } from './results/pack-result.ts'
import { type Result, resultVersion, type VariantResult, type Warning } from './results/schema.ts'
import { compactRow } from './run/compact-row.ts'
import { reasonToEnd } from './run/end-early.ts'
import { orderTurns, type Turn } from './run/order.ts'
import { type OnProgress, type Position } from './run/progress.ts'
import { preflightBinaries, preflightUris } from './run/preflight-targets.ts'
import { runVariant } from './run/run-variant.ts'
import { createTargetKeeper } from './run/target-keeper.ts'
import { type SpecRow } from './spec/read-rows.ts'
import { isDriverError } from './targets/driver-error.ts'
import { checkTargets, type TargetSpec } from './targets/index.ts'
import { databaseOf } from './targets/ownership.ts'
import { redact } from './targets/redact.ts'
import { type StartContext } from './targets/target.ts'
import { codeWords } from './values/keys.ts'
import { driverVersion, toolVersion } from './versions.ts'

export type BenchmarkOptions = {
  readonly start: StartContext
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
  /** Where the result is kept, written anew after every row. Default: nowhere. */
  readonly resultFile?: string | undefined
  /** A result of the same work: its finished rows are kept, and not run again. */
  readonly resume?: Result | undefined
  /** Runs of every row, instead of what the spec says. */
  readonly repeat?: number | undefined
  /** Keep no time lines, histograms and single timings. Default: as the result that is resumed. */
  readonly compact?: boolean | undefined
  /** Texts that must not get into the result. */
  readonly secrets: readonly string[]
}

/** The whole tool on one page: a checked spec in, a result out. An abort is a result too, of the rows that were finished. */
export async function runBenchmark(spec: LoadedSpec, options: BenchmarkOptions): Promise<Result> {
  const { start, clock, signal, onProgress, resultFile, secrets } = options
  if (resultFile !== undefined) await prepareOutput(dirname(resultFile))
  const repeat = repeatOf(spec, options.repeat)
  const turns = orderTurns(spec.rows, repeat, spec.seed)
  const compact = options.compact === true || options.resume?.compact === true
  const form = compact ? compactRow : (row: VariantResult): VariantResult => row
  const kept = keptRows(spec, options.resume).map(form)
  const begun = options.resume?.startedAt ?? clock.date().toISOString()
  let result: Result = { ...emptyResult(spec, repeat, begun, kept), compact }
  const save = async (change: Partial<Result>): Promise<void> => {
    result = { ...result, ...change }
    if (resultFile !== undefined) await writeResult(resultFile, packResult(result))
  }

  const wanted = targetsToRun(spec, options)
  // Before an earlier result is written over.
  preflightUris(wanted, start)
  await save({})
  try {
    await checkTargets(wanted, start)
    await preflightBinaries(wanted, start)
  } catch (error) {
    const isNotForHere = error instanceof Problem && error.code === 'not-measurable-here'
    const finishedAt = clock.date().toISOString()
    await save({ status: 'failed', finishedAt, warnings: isNotForHere ? [notMeasured(error)] : [] })
    throw error
  }
  await using targets = createTargetKeeper({ ...start, scripting: runsCode(spec) }, onProgress)
  for (const [i, turn] of turns.entries()) {
    const at: Position = { label: turn.row.label, number: i + 1, of: turns.length }
    if (isKept(turn, kept)) {
      onProgress({ kind: 'skipped', at })
      continue
    }
    const startedAt = clock.date()
    try {
      if (signal.aborted) break
      const { target, kept: keptData } = await targets.use(turn.row.spec.target, at)
      const database = databaseOf(spec.name)
      const later = turns.slice(i + 1).find((other) => !isKept(other, kept))?.row
      const next = later && targets.keepsFor(later.spec.target) ? later : undefined
      const variant = await runVariant(turn, {
        target,
        database,
        next,
        kept: keptData,
        folder: spec.folder,
        clock,
        signal,
        at,
        onProgress,
        secrets,
      })
      await save({ variants: [...result.variants, form(variant)] })
      onProgress({ kind: 'row', at, variant })
      const reason = signal.aborted ? null : reasonToEnd(result, variant, turn.row.spec.thresholds)
      const isAllDone = variant.status === 'done' && i === turns.length - 1
      if (reason !== null && !isAllDone) {
        await save({
          status: 'aborted',
          finishedAt: clock.date().toISOString(),
          warnings: [...result.warnings, reason],
        })
        return result
      }
    } catch (error) {
      const status = signal.aborted ? 'aborted' : 'failed'
      const text = redact(error instanceof Error ? error.message : String(error), secrets)
      await save({
        status,
        finishedAt: clock.date().toISOString(),
        variants: [...result.variants, brokenRow(turn, status, text, startedAt)],
      })
      if (status === 'failed') throw asProblem(error, text)
      return result
    }
  }
  const isWhole = result.variants.filter(({ status }) => status === 'done').length === turns.length
  await save({ status: isWhole ? 'done' : 'aborted', finishedAt: clock.date().toISOString() })
  return result
}

/** The targets of the rows that are not finished yet. */
export function targetsToRun(
  spec: LoadedSpec,
  { repeat, resume }: Pick<BenchmarkOptions, 'repeat' | 'resume'>,
): readonly TargetSpec[] {
  const kept = keptRows(spec, resume)
  const turns = orderTurns(spec.rows, repeatOf(spec, repeat), spec.seed)
  return turns.filter((turn) => !isKept(turn, kept)).map(({ row }) => row.spec.target)
}

/** Loading a spec has made sure that the command line allows it too. Every row has the same. */
const runsCode = ({ rows }: LoadedSpec): boolean =>
  rows.some(({ spec }) => codeWords.some((word) => spec.allow.includes(word)))

function repeatOf({ repeat }: LoadedSpec, times: number = repeat.times): LoadedSpec['repeat'] {
  if (times > repeat.startUpRuns) return { ...repeat, times }
  throw new Problem('usage', `With ${repeat.startUpRuns} start-up runs, ${times} of each row leave none to measure`, {
    hint: 'Repeat more often, or lower "startUpRuns" in the spec.',
  })
}

function keptRows(spec: LoadedSpec, resume: Result | undefined): readonly VariantResult[] {
  if (!resume) return []
  if (resume.spec.hash !== spec.hash) {
    throw new Problem(
      'usage',
      'The result to go on with is of other work: the spec, its profile, a --set or --only, or the kind of target has changed',
      {
        hint: 'Leave --resume out to start anew, or put the spec back.',
      },
    )
  }
  return resume.variants.filter(({ status }) => status === 'done')
}

const isKept = (turn: Turn<SpecRow>, kept: readonly VariantResult[]): boolean =>
  kept.some(({ row, run }) => row === turn.row.index && run === turn.run)

function emptyResult(
  spec: LoadedSpec,
  repeat: LoadedSpec['repeat'],
  startedAt: string,
  variants: readonly VariantResult[],
): Result {
  const [first] = spec.rows
  return {
    format: 'mongo-perf-result',
    version: resultVersion,
    tool: { name: 'mongo-perf', version: toolVersion() },
    spec: {
      name: spec.name,
      title: spec.title,
      description: spec.description,
      hash: spec.hash,
      seed: spec.seed,
      profile: spec.overrides.profile ?? null,
      set: { ...spec.overrides.set } as Result['spec']['set'],
      repeat,
      rows: spec.rows.length,
      varied: [...new Set(spec.rows.flatMap(({ varied }) => varied))],
      report: (first?.spec.report ?? {}) as Result['spec']['report'],
      thresholds: (first?.spec.thresholds ?? []).map(({ holds }) => holds),
      effective: spec.effective as Result['spec']['effective'],
    },
    environment: describeEnvironment({
      host: os,
      node: process.version,
      driver: { name: 'mongodb', version: driverVersion(), options: measuringOptions() },
    }),
    compact: false,
    status: 'running',
    startedAt,
    finishedAt: null,
    variants: [...variants],
    warnings: [],
  }
}

/** What is the same for every phase; the pool has a connection per worker, and deadlines are the phase's. */
function measuringOptions(): Result['environment']['driver']['options'] {
  const { retryReads, retryWrites, maxAdaptiveRetries, monitorCommands } = clientOptions({ workers: 1, deadlineMs: 1 })
  return { retryReads, retryWrites, maxAdaptiveRetries, monitorCommands } as Result['environment']['driver']['options']
}

/** A row that ended without figures. */
function brokenRow(
  { row, run, startUp }: Turn<SpecRow>,
  status: 'aborted' | 'failed',
  error: string,
  startedAt: Date,
): VariantResult {
  return {
    row: row.index,
    run,
    startUp,
    label: row.label,
    status,
    error,
    parameters: Object.fromEntries(row.parameters) as VariantResult['parameters'],
    facts: row.spec.target.facts as VariantResult['facts'],
    server: null,
    data: [],
    phases: [],
    commands: [],
    warnings: [],
    startedAt: startedAt.toISOString(),
    seconds: 0,
  }
}

/** So that the report says why it is empty. */
const notMeasured = ({ message, hint }: Problem): Warning => ({ code: notMeasuredHere, message, advice: hint })

/** What the driver says about a server that went away, as a problem. */
function asProblem(error: unknown, text: string): unknown {
  if (!isDriverError(error)) return error
  return new Problem('target-unreachable', `The server could not be used: ${text}`, {
    hint: 'Rows that were finished are in the result; --resume goes on after them.',
  })
}
