import { keptColumns } from '../metrics/columns/own-column.ts'
import { type Result, resultVersion, type VariantResult } from '../results/schema.ts'
import { type SpecRow } from '../spec/fold/read-rows.ts'
import { type LoadedSpec } from '../spec/load-spec.ts'
import { uncheckedResults } from './row-checks.ts'
import { type Rounds, type Turn } from './turns/order.ts'

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
    readonly repeat: Rounds
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

/** A row that ended without figures. */
export function failedVariant(
  { row, run, startUp, attempt }: Turn<SpecRow>,
  status: 'aborted' | 'failed',
  error: string,
  startedAt: Date,
): VariantResult {
  return {
    row: row.index,
    run,
    startUp,
    attempt,
    excludedBecause: null,
    label: row.label,
    status,
    error,
    parameters: Object.fromEntries(row.parameters) as VariantResult['parameters'],
    facts: row.spec.target.facts as VariantResult['facts'],
    server: null,
    data: [],
    phases: [],
    checks: uncheckedResults(row.spec, `the row ${status === 'failed' ? 'failed' : 'was aborted'}`),
    storage: null,
    sharding: null,
    commands: [],
    warnings: [],
    startedAt: startedAt.toISOString(),
    seconds: 0,
  }
}
