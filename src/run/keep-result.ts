import { keptColumns } from '../metrics/columns/own-column.ts'
import { memberMetrics } from '../metrics/shown-metrics.ts'
import { packResult } from '../results/files/pack-result.ts'
import { isMeasured, type ResultFile } from '../results/files/result-file.ts'
import { type Result, type VariantResult } from '../results/schema.ts'
import { resultVersion } from '../results/version.ts'
import { type SpecRow } from '../spec/fold/read-rows.ts'
import { type LoadedSpec, type Repeat } from '../spec/load-spec.ts'
import { compactRow } from './compact-row.ts'
import { provenanceHere, resumedProvenance } from './provenance.ts'
import { type RunEnvironment } from './run-environment.ts'
import { type Turn, type TurnPlan } from './turns.ts'
import { failedVariant } from './variant-result.ts'

/** Output of the result of a run, and its first part. */
export type ResultOptions = {
  /** Receives the result, from the first row on in which something was measured. Default: nowhere. */
  readonly output?: ResultFile | undefined
  /** A result of the same work, whose finished rows are kept and not run again. */
  readonly resume?: Result | undefined
  /** Whether to drop time lines, histograms and individual timings. Default: as in the resumed result. */
  readonly compact?: boolean | undefined
}

/** The result of a run while it goes on. Each change is saved, and is an event. */
export type KeptResult = {
  readonly soFar: () => Result
  /** Adds a run that has been measured. */
  readonly add: (variant: VariantResult) => Promise<void>
  /** Ends it with a last change, which is saved together with the end. */
  readonly end: (status: Result['status'], change?: Partial<Result>) => Promise<Result>
  /** Ends it at a turn that ended without figures. */
  readonly fail: (turn: Turn<SpecRow>, status: 'aborted' | 'failed', error: string, startedAt: Date) => Promise<Result>
}

/** Begins the result of a run with the rows of the one that is resumed. */
export async function keepResult(
  spec: LoadedSpec,
  plan: TurnPlan,
  { clock, driver, emit }: RunEnvironment,
  { output, resume, ...options }: ResultOptions,
): Promise<KeptResult> {
  const { repeat, kept, rowsToRun } = plan
  const compact = options.compact === true || resume?.compact === true
  const ofMembers = memberMetrics(spec.rows[0]?.spec.report ?? {})
  const form = (row: VariantResult): VariantResult => (compact ? compactRow(row, ofMembers) : row)
  const isDoneAlready = rowsToRun.length === 0
  const here = provenanceHere(driver)
  let hasMetrics = isDoneAlready
  let result = newResult(spec, {
    repeat,
    startedAt: resume?.startedAt ?? clock.date().toISOString(),
    variants: kept.map(form),
    compact,
    ...(resume === undefined || kept.length === 0
      ? { ...here, warnings: [] }
      : resumedProvenance(resume, here, !isDoneAlready)),
  })

  async function save(change: Partial<Result>): Promise<void> {
    result = { ...result, ...change }
    await output?.save(packResult(result), hasMetrics)
    emit({ kind: 'result', result })
  }

  async function end(status: Result['status'], change: Partial<Result> = {}): Promise<Result> {
    // A result without new measurements keeps its time.
    const finishedAt = isDoneAlready ? resume?.finishedAt : undefined
    await save({ ...change, status, finishedAt: finishedAt ?? clock.date().toISOString() })
    return result
  }

  await save({})
  return {
    soFar: () => result,
    async add(variant) {
      hasMetrics ||= isMeasured(variant)
      await save({ variants: [...result.variants, form(variant)] })
    },
    end,
    fail: (turn, status, ...failure) =>
      end(status, { variants: [...result.variants, failedVariant(turn, status, ...failure)] }),
  }
}

/** A result before its first row: what is to be done, and where. */
export function newResult(
  spec: LoadedSpec,
  {
    repeat,
    startedAt,
    variants,
    compact,
    ...provenance
  }: Pick<Result, 'startedAt' | 'variants' | 'compact' | 'tool' | 'environment' | 'warnings'> & {
    readonly repeat: Repeat
  },
): Result {
  const [first] = spec.rows
  return {
    format: 'mongo-perf-result',
    version: resultVersion,
    ...provenance,
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
    pairing: null,
    compact,
    ...(spec.overrides.columns !== undefined && { columns: keptColumns(spec.overrides.columns) }),
    status: 'running',
    startedAt,
    finishedAt: null,
    variants,
  }
}
