import type { Cell } from '../../metrics/rows/rows.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { type Verdict, thresholdVerdicts } from '../../metrics/thresholds.ts'
import type { JudgedRow, Trust } from '../../metrics/trust/judge.ts'
import { type RowCheck, rowChecks } from '../../results/row-checks.ts'
import type { Result } from '../../results/schema.ts'
import type { PublishedCell, PublishedDocument } from '../../spec/published/match.ts'
import type { RatioInterval } from '../../statistics/estimate.ts'
import { collectEnvironmentFacts } from '../prose/environment.ts'
import { mergedText } from '../prose/merged-message.ts'
import { type FoundSearch, listSearches } from '../prose/search-text.ts'
import type { Closeness, ComparedRow, Comparison } from '../published/compare.ts'
import type { Fact, Table, TableColumn, TableRow } from '../tables/table.ts'

/** How far the figures of a row can be believed. */
type JudgedJson = {
  readonly trust: Trust
  /** Its warnings, each kind once. */
  readonly notes: readonly string[]
}

export type ReportJson = {
  readonly name: string
  readonly title: string
  readonly status: Result['status']
  readonly environment: readonly Fact[]
  readonly tables: readonly {
    readonly title: string
    /** In a transposed table, all but the first have the trust and the notes of the row that they were. */
    readonly columns: readonly (TableColumn & Partial<JudgedJson>)[]
    readonly rows: readonly ({ readonly cells: readonly Cell[] } & Partial<JudgedJson>)[]
  }[]
  readonly searches: readonly FoundSearch[]
  readonly thresholds: readonly Verdict[]
  readonly checks: readonly RowCheck[]
  /** Null if it was not requested, or the spec has no published figures. */
  readonly published: ComparisonJson | null
}

/** A report as plain data, for programs that need its medians. */
export function reportJson(result: Result, tables: readonly Table[], comparison: Comparison | null = null): ReportJson {
  return {
    name: result.spec.name,
    title: result.spec.title,
    status: result.status,
    environment: collectEnvironmentFacts(result),
    tables: tables.map(tableJson),
    searches: listSearches(result),
    thresholds: thresholdVerdicts(result),
    checks: rowChecks(result),
    published: comparison === null ? null : comparisonJson(comparison),
  }
}

function tableJson({ title, columns, rows, judged, isTransposed }: Table): ReportJson['tables'][number] {
  const ofRows = judged.map(judgedJson)
  return isTransposed
    ? {
        title,
        columns: columns.map((column, index) => ({ ...column, ...ofRows[index - 1] })),
        rows: rows.map(cellsJson),
      }
    : { title, columns, rows: rows.map((row, index) => ({ ...cellsJson(row), ...ofRows[index] })) }
}

const cellsJson = ({ cells }: TableRow): { readonly cells: readonly Cell[] } => ({ cells })

const judgedJson = ({ trust, notes }: JudgedRow): JudgedJson => ({
  trust,
  notes: [...groupBy(notes, ({ kind }) => kind).values()].map(mergedText),
})

/** The comparison with published figures as plain data. */
type ComparisonJson = {
  readonly source: PublishedDocument['source']
  readonly section: string
  /** The hardware of the published figures. */
  readonly hardware: string
  readonly metric: string
  readonly column: string
  /** Label of the base row. Null: it was not measured. */
  readonly base: string | null
  /** How close the ratios to the base row are to the published ones. */
  readonly ratios: Closeness
  /** How close the CPU times of the server are to the published ones. */
  readonly cpu: Closeness
  /** Number of published rows without a row here. */
  readonly notMeasured: number
  readonly rows: readonly {
    readonly label: string
    readonly measured: number | null
    readonly published: number | null
    readonly cell: PublishedCell
    readonly measuredRatio: number | null
    /** The 95 % interval of the measured ratio, with six or more rounds. */
    readonly interval: RatioInterval | null
    readonly publishedRatio: number | null
    /** Whether the interval contains the published ratio. Null: one of both is not known. */
    readonly verdict: ComparedRow['verdict']
    /** Measured divided by published ratio. */
    readonly factor: number | null
    /** CPU time of the server per unit of the compared rate, in µs. */
    readonly cpuUs: ComparedRow['cpuUs']
  }[]
  /** The same of further columns. */
  readonly beside: readonly ComparisonJson[]
}

const rowJson = ({ row, measured, ...others }: ComparedRow): ComparisonJson['rows'][number] => ({
  label: row.variant.label,
  measured: measured?.value ?? null,
  ...others,
})

export function comparisonJson(comparison: Comparison): ComparisonJson {
  const { spec, table, base, rows, ratios, cpu, notMeasured } = comparison
  return {
    source: table.source,
    section: table.section,
    hardware: table.hardware,
    metric: spec.metric,
    column: table.column,
    base: base?.row.variant.label ?? null,
    ratios,
    cpu,
    notMeasured,
    beside: comparison.beside.map(comparisonJson),
    rows: rows.map(rowJson),
  }
}
