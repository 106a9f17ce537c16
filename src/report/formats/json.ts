import type { Cell } from '../../metrics/rows/rows.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { type Verdict, thresholdVerdicts } from '../../metrics/thresholds.ts'
import type { JudgedRow, Trust } from '../../metrics/trust/judge.ts'
import { type RowCheck, rowChecks } from '../../results/row-checks.ts'
import type { Result } from '../../results/schema.ts'
import { type PublishedTable } from '../../spec/published/find-table.ts'
import { collectEnvironmentFacts } from '../prose/environment.ts'
import { mergedText } from '../prose/merged-message.ts'
import { type FoundSearch, listSearches } from '../prose/search-text.ts'
import type { Agreement, ComparedRow, Comparison } from '../published/compare.ts'
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
type ComparisonJson = Pick<PublishedTable, 'source' | 'section' | 'hardware' | 'column'> &
  Agreement & {
    readonly metric: string
    /** Label of the base row. Null: it was not measured. */
    readonly base: string | null
    readonly rows: readonly (Omit<ComparedRow, 'row' | 'measured'> & {
      readonly label: string
      readonly measured: number | null
    })[]
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
