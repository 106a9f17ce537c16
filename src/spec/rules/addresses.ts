import { type Path } from '../../core/json.ts'
import { issueText, type ReportIssue } from '../../language/issues.ts'
import { parseThreshold } from '../../language/thresholds.ts'
import { type Report } from '../../language/values/scope.ts'
import { type OwnColumns } from '../../metrics/columns/own-column.ts'
import { type Shape } from '../../metrics/scope.ts'
import { namesIn } from '../../metrics/text-names.ts'
import { shapeOfSpec } from '../plan/shape.ts'
import { isWhole, type SpecRow } from '../schema/read-rows.ts'
import { validateMetricAddress } from './report/validate-expression.ts'
import { validateReport } from './report/validate-report.ts'

/** Validates the addresses in the report and in the thresholds. */
export function validateAddresses(row: SpecRow, columns: OwnColumns, report: Report): void {
  const { spec, parameters } = row
  const shape = { ...shapeOfSpec(spec, columns), partial: !isWhole(row, ['phases', 'checks']) }
  const reportIssue = (path: Path, found: ReportIssue): void => report(path, issueText(found))
  for (const found of validateReport(spec.report, shape, [...parameters.keys()]))
    reportIssue(['report', ...found.path], found)
  for (const name of namesIn(spec.description ?? ''))
    report(['description'], `"{{${name}}}" works only in texts of the report: write this in "report.description"`)
  for (const [i, { holds }] of spec.thresholds.entries())
    for (const found of thresholdIssues(holds, shape)) reportIssue(['thresholds', i], found)
}

/** The issues of a threshold's address. */
export const thresholdIssues = (text: string, shape: Shape): readonly ReportIssue[] =>
  validateMetricAddress(parseThreshold(text)?.address ?? '', [], shape, 'variants')
