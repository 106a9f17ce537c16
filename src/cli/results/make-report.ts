import { type Report, type ReportOptions, renderReport } from '../../report/report.ts'
import { type Result } from '../../results/schema.ts'
import { type CliContext } from '../cli-context.ts'

/** Renders a report, with a note where `--reference` was given but the spec names no published figures. */
export function makeReport(
  result: Result,
  options: ReportOptions,
  { printStatus }: Pick<CliContext, 'printStatus'>,
): Report {
  const report = renderReport(result, options)
  if (options.reference && report.json.published === null)
    printStatus(
      `the report of ${result.spec.name} names no published figures ("published") to put beside the measured ones\n`,
    )
  return report
}
