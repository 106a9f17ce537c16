import { Option } from 'commander'
import { type Report } from '../report/report.ts'
import { type CliContext } from './cli-context.ts'

const formats = ['md', 'json', 'csv'] as const
export type Format = (typeof formats)[number]

export const formatOption = (): Option =>
  new Option('--format <format>', 'what is printed').choices(formats).default('md')

/** Prints reports one by one as they come, except for JSON: several are one list, so that a program can read them. */
export type ReportPrinter = { readonly add: (report: Report) => void; readonly end: () => void }

export function createReportPrinter(
  format: Format,
  count: number,
  { print }: Pick<CliContext, 'print'>,
): ReportPrinter {
  const printJson = (value: unknown): void => print(`${JSON.stringify(value, null, 2)}\n`)
  const held: Report[] = []
  return {
    add(report) {
      if (format === 'md') print(report.markdown)
      else if (format === 'csv') print(report.csv.map(({ text }) => text).join('\n'))
      else if (count === 1) printJson(report.json)
      else held.push(report)
    },
    end() {
      if (held.length > 0) printJson(held.map(({ json }) => json))
    },
  }
}
