import { type Report } from '../../report/report.ts'
import { ycsbLines } from '../../report/ycsb-lines.ts'
import { type Result } from '../../results/schema.ts'
import { type CliContext } from '../cli-context.ts'
import { type Format } from '../options/output-options.ts'

/** What is printed of one report, unless it is JSON. */
const textByFormat: Readonly<Record<Exclude<Format, 'json'>, (report: Report, result: Result) => string>> = {
  md: ({ brief }) => brief,
  github: ({ summary }) => summary,
  csv: ({ csv }) => csv.map(({ text }) => text).join('\n'),
  ycsb: (_, result) => ycsbLines(result),
}

/** Prints each report as it is added, except for JSON: several reports are printed as one list at the end. */
export type ReportPrinter = { readonly add: (report: Report, result: Result) => void; readonly end: () => void }

/** Creates a printer of `count` reports. */
export function createReportPrinter(
  format: Format,
  count: number,
  { print }: Pick<CliContext, 'print'>,
): ReportPrinter {
  const printJson = (value: unknown): void => print(`${JSON.stringify(value, null, 2)}\n`)
  const held: Report[] = []
  return {
    add(report, result) {
      if (format !== 'json') print(textByFormat[format](report, result))
      else if (count === 1) printJson(report.json)
      else held.push(report)
    },
    end() {
      if (held.length > 0) printJson(held.map(({ json }) => json))
    },
  }
}
