import { type Result } from '../results/schema.ts'
import { type Fact } from './environment.ts'
import { environmentOf } from './environment.ts'
import { type RowCheck, rowChecks } from './checks.ts'
import { type Table, type TableColumn, tablesOf } from './tables.ts'
import { type Cell } from './rows.ts'
import { type Comparison } from './published/compare.ts'
import { type ComparisonJson, comparisonJson } from './published/json.ts'
import { thresholdVerdicts, type Verdict } from './thresholds.ts'

/** A report as plain data. */
export type ReportJson = {
  readonly name: string
  readonly title: string
  readonly status: Result['status']
  readonly environment: readonly Fact[]
  readonly tables: readonly {
    readonly title: string
    readonly columns: readonly (Omit<TableColumn, 'notes'> & { readonly notes?: readonly string[] })[]
    readonly rows: readonly { readonly cells: readonly Cell[]; readonly notes: readonly string[] }[]
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
    tables: tables.map(({ title, columns, rows }) => ({
      title,
      columns: columns.map(({ notes, ...column }) =>
        notes === undefined ? column : { ...column, notes: notes.map(({ text }) => text) },
      ),
      rows: rows.map(({ cells, notes }) => ({ cells, notes: notes.map(({ text }) => text) })),
    })),
    thresholds: thresholdVerdicts(result),
    checks: rowChecks(result),
    published: comparison === null ? null : comparisonJson(comparison),
  }
}
