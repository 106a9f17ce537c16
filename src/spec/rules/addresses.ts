import { type Path } from '../../core/json.ts'
import { type Finding, findingText, type Report } from '../../language/issues.ts'
import { parseThreshold } from '../../language/thresholds.ts'
import { type Shape } from '../../metrics/scope.ts'
import { namesIn } from '../../metrics/text-names.ts'
import { isWhole } from '../fold/read-rows.ts'
import { shapeOfSpec } from '../plan/shape.ts'
import { validateMetricAddress } from './report/validate-expression.ts'
import { validateReport } from './report/validate-report.ts'
import { type Given, type Rule } from './rule.ts'

const shapeIn = ({ row, overrides: { columns = {} } }: Given): Shape => ({
  ...shapeOfSpec(row.spec, columns),
  partial: !isWhole(row, ['phases', 'checks']),
})

const reportAll = (findings: readonly Finding[], path: Path, report: Report): void => {
  for (const found of findings) report([...path, ...found.path], findingText(found))
}

/** The rules of what names parts of the spec: the report, its texts, and thresholds. */
export const addressRules: readonly Rule[] = [
  {
    name: 'report',
    reads: [],
    check: (spec, report, given) =>
      reportAll(validateReport(spec.report, shapeIn(given), [...given.row.parameters.keys()]), ['report'], report),
  },
  {
    name: 'description',
    reads: [],
    check({ description = '' }, report) {
      for (const name of namesIn(description))
        report(['description'], `"{{${name}}}" works only in texts of the report: write this in "report.description"`)
    },
  },
  {
    name: 'thresholds',
    reads: [],
    check({ thresholds }, report, given) {
      for (const [i, { holds }] of thresholds.entries())
        reportAll(thresholdIssues(holds, shapeIn(given)), ['thresholds', i], report)
    },
  },
]

export const thresholdIssues = (text: string, shape: Shape): readonly Finding[] =>
  validateMetricAddress(parseThreshold(text)?.address ?? '', [], shape, 'variants')
