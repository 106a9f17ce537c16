import { type Evaluation } from '../../metrics/evaluate.ts'
import { type ChartSpec, type TableRows } from '../../metrics/report-schema.ts'
import { type Row } from '../../metrics/rows/rows.ts'

/** The rows that a chart draws: those that match its `where`. */
export const shownRows = (
  { rows, holds }: Evaluation,
  { where }: Pick<ChartSpec, 'where'>,
  kind: TableRows,
): readonly Row[] => rows(kind).filter((row) => holds(where, row))
