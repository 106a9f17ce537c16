import { Option } from 'commander'
import { type Report } from '../report/report.ts'
import { type CliContext } from './cli-context.ts'

const formats = ['md', 'json', 'csv'] as const
/** A format of `--format`. */
export type Format = (typeof formats)[number]

/** The option `--format`. */
export const formatOption = (): Option =>
  new Option('--format <format>', 'what is printed').choices(formats).default('md')

/** Prints each report as it is added, except for JSON: several reports are printed as one list at the end. */
export type ReportPrinter = { readonly add: (report: Report) => void; readonly end: () => void }

/** Creates a printer of `count` reports. */
export function createReportPrinter(
  format: Format,
  count: number,
  { print }: Pick<CliContext, 'print'>,
): ReportPrinter {
  const printJson = (value: unknown): void => print(`${JSON.stringify(value, null, 2)}\n`)
  const held: Report[] = []
  return {
    add(report) {
      if (format === 'md') print(report.brief)
      else if (format === 'csv') print(report.csv.map(({ text }) => text).join('\n'))
      else if (count === 1) printJson(report.json)
      else held.push(report)
    },
    end() {
      if (held.length > 0) printJson(held.map(({ json }) => json))
    },
  }
}
