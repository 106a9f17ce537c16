import { createEvaluator } from '../../metrics/evaluate.ts'
import { type ChartSpec, type TableRows } from '../../metrics/report-schema.ts'
import { type Row, listRows } from '../../metrics/rows/rows.ts'
import { type Result } from '../../results/schema.ts'
import { type FullReportSpec } from '../report-spec.ts'
import { whyNotCompared } from '../trust/judge.ts'

/** The rows that a chart draws: those that match its `where`. */
export function shownRows(
  result: Result,
  spec: FullReportSpec,
  { where }: Pick<ChartSpec, 'where'>,
  kind: TableRows,
): readonly Row[] {
  const { holds } = createEvaluator(result, spec, whyNotCompared)
  return listRows(result, kind).filter((row) => holds(where, row))
}
