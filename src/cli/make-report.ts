import { type Report, type ReportOptions, renderReport } from '../report/report.ts'
import { type Result } from '../results/schema.ts'
import { type World } from './world.ts'

/** A report, and a word where what was asked for is not in it. */
export function makeReport(result: Result, options: ReportOptions, { tell }: Pick<World, 'tell'>): Report {
  const report = renderReport(result, options)
  if (options.reference && report.json.published === null)
    tell(`the report of ${result.spec.name} names no published figures ("published") to put beside the measured ones\n`)
  return report
}
