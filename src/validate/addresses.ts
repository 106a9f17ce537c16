import { type Path } from '../json.ts'
import { didYouMean } from '../nearest.ts'
import { validateMeasure, type ReportIssue } from '../report/validate-expression.ts'
import { validateReport } from '../report/validate-report.ts'
import { type Shape } from '../report/scope.ts'
import { namesIn } from '../report/texts.ts'
import { type SpecRow } from '../schema/read-rows.ts'
import { parseThreshold } from '../language/thresholds.ts'
import { type Report } from '../values/scope.ts'
import { shapeOfSpec } from '../plan/shape.ts'

/** Whether the report and the thresholds name what there is. */
export function validateAddresses({ spec, parameters }: SpecRow, report: Report): void {
  const shape = shapeOfSpec(spec)
  const tell = (path: Path, found: ReportIssue): void => report(path, faultText(found))
  for (const found of validateReport(spec.report, shape, [...parameters.keys()])) tell(['report', ...found.path], found)
  for (const name of namesIn(spec.description ?? ''))
    report(['description'], `"{{${name}}}" is filled in texts of the report alone: say this under "report.description"`)
  for (const [i, { holds }] of spec.thresholds.entries())
    for (const found of thresholdFaults(holds, shape)) tell(['thresholds', i], found)
}

/** What is wrong with the address of a threshold. */
export const thresholdFaults = (text: string, shape: Shape): readonly ReportIssue[] =>
  validateMeasure(parseThreshold(text)?.address ?? '', [], shape, 'variants')

export const faultText = ({ reason, nearest }: ReportIssue): string => `${reason}${didYouMean(nearest)}`
