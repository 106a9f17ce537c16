import { type Result } from '../results/schema.ts'
import { environmentOf } from './environment.ts'
import { groupBy } from '../metrics/group-by.ts'
import { type RowCheck, rowChecks } from './checks.ts'
import { type Fact } from './tables/settings.ts'
import { type Table, type TableColumn, type TableRow } from './tables/table.ts'
import { tablesOf } from './tables/measured.ts'
import { type Cell } from '../metrics/rows.ts'
import { type Comparison } from './published/compare.ts'
import { type ComparisonJson, comparisonJson } from './published/json.ts'
import { type JudgedRow, type Trust } from './trust/judge.ts'
import { mergedText } from './trust/merged-message.ts'
import { thresholdVerdicts, type Verdict } from '../metrics/thresholds.ts'

/** How far the figures of a row can be believed. */
type JudgedJson = {
  readonly trust: Trust
  /** Its warnings, each kind once. */
  readonly notes: readonly string[]
}

/** A report as plain data. */
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
  readonly thresholds: readonly Verdict[]
  readonly checks: readonly RowCheck[]
  /** Null if it was not requested, or the spec has no published figures. */
  readonly published: ComparisonJson | null
}

/** A report as plain data, for programs that need its medians. */
export function reportJson(
  result: Result,
  tables: readonly Table[] = tablesOf(result),
  comparison: Comparison | null = null,
): ReportJson {
  return {
    name: result.spec.name,
    title: result.spec.title,
    status: result.status,
    environment: environmentOf(result),
    tables: tables.map(tableJson),
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
