import { memberMetrics } from '../metrics/member-metrics.ts'
import { packResult } from '../results/files/pack-result.ts'
import { isMeasured, type ResultFile } from '../results/files/result-file.ts'
import { type Result, type VariantResult } from '../results/schema.ts'
import { type LoadedSpec } from '../spec/load-spec.ts'
import { compactRow } from './compact-row.ts'
import { newResult } from './new-result.ts'
import { provenanceHere, resumedProvenance } from './provenance.ts'
import { type RunEnvironment } from './run-environment.ts'
import { type TurnPlan } from './turns/plan-turns.ts'
import { withRun } from './turns/slow-runs.ts'

/** Where the result of a run goes, and what it begins with. */
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
  /** @param again What was slow about the run before, which this one is to replace. Null: it is the first of its round. */
  readonly add: (variant: VariantResult, again: string | null) => Promise<void>
  /** Ends it with a last change, which is saved together with the end. */
  readonly end: (status: Result['status'], change?: Partial<Result>) => Promise<Result>
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

  await save({})
  return {
    soFar: () => result,
    async add(variant, again) {
      hasMetrics ||= isMeasured(variant)
      await save({ variants: withRun(result.variants, form(variant), again) })
    },
    async end(status, change = {}) {
      // A result without new measurements keeps its time.
      const finishedAt = isDoneAlready ? resume?.finishedAt : undefined
      await save({ ...change, status, finishedAt: finishedAt ?? clock.date().toISOString() })
      return result
    },
  }
}
