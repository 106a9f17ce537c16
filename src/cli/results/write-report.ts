import { rm } from 'node:fs/promises'
import { join, dirname } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { drawChart } from '../../report/charts/drawing/draw-chart.ts'
import { themes } from '../../report/charts/drawing/look.ts'
import { imageFile, type ReportChart } from '../../report/charts/report-chart.ts'
import { formatRateAnswer } from '../../report/formats/rate-answer.ts'
import { formatReportPlace, formatTextReport } from '../../report/formats/text.ts'
import { ycsbLines } from '../../report/formats/ycsb-lines.ts'
import { type Report, type ReportOptions, renderReport } from '../../report/report.ts'
import { prepareOutput, writeOutput } from '../../results/files/results-file.ts'
import { type Result } from '../../results/schema.ts'
import { type CliContext } from '../cli-context.ts'
import { type Format } from '../options/output-options.ts'

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

/** Writes report, tables and charts to a folder, and returns the names of the files. */
export async function writeReport(
  { markdown, csv, charts }: Pick<Report, 'markdown' | 'csv' | 'charts'>,
  folder: string,
  cli: Pick<CliContext, 'printStatus'>,
): Promise<readonly string[]> {
  await prepareOutput(folder)
  await writeOutput(join(folder, 'report.md'), markdown)
  for (const { name, text } of csv) await writeOutput(join(folder, name), text)
  return ['report.md', ...csv.map(({ name }) => name), ...(await writeCharts(charts, folder, cli))]
}

/** Writes the report of a result, as one HTML file first: the images of charts need native code, and it does not. */
export async function writeResultReport(
  result: Result,
  report: Report,
  folder: string,
  cli: Pick<CliContext, 'printStatus'>,
): Promise<readonly string[]> {
  const { renderedHtml } = await import('../../report/html/report-html.ts')
  await prepareOutput(folder)
  await writeOutput(join(folder, 'report.html'), renderedHtml([{ result, report }]))
  return ['report.html', ...(await writeReport(report, folder, cli))]
}

/** Files that were written to a folder, and the format of the report that was printed. */
type WrittenFiles = { readonly folder: string; readonly files: readonly string[]; readonly format: Format }

/** Names the files of a report: below a text for people, the one to open. */
export function showWritten(
  report: Report,
  { folder, files, format }: WrittenFiles,
  { printStatus, printLines, screen }: CliContext,
): void {
  if (format !== 'text') return printStatus(`written to ${folder}: ${files.join(', ')}\n`)
  printLines(formatReportPlace(report, join(folder, 'report.html'), screen.columns))
}

/** Writes an HTML file that the user named. */
export async function writeHtml(
  file: string,
  text: string,
  { printStatus }: Pick<CliContext, 'printStatus'>,
): Promise<void> {
  await prepareOutput(dirname(file))
  await writeOutput(file, text)
  printStatus(`written: ${file}\n`)
}

/** Contexts that were warned that nothing can be drawn here: once a command, not for each of its reports. */
const warned = new WeakSet<object>()

/**
 * Writes the images of charts to a folder, each in every theme, and returns the names of the files. Where nothing can be drawn, there are
 * none, with a warning, and older ones are removed: they would show other figures than the report beside them.
 */
export async function writeCharts(
  charts: readonly ReportChart[],
  folder: string,
  cli: Pick<CliContext, 'printStatus'>,
  draw = drawChart,
): Promise<readonly string[]> {
  const images = charts.flatMap((chart) =>
    themes.map((theme) => ({ chart, theme, name: imageFile(chart.file, theme) })),
  )
  try {
    for (const { chart, theme, name } of images) await writeOutput(join(folder, name), await draw(chart, theme))
    return images.map(({ name }) => name)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'no-canvas') throw error
    for (const { name } of images) await rm(join(folder, name), { force: true })
    if (!warned.has(cli)) cli.printStatus(`warning: ${error.message}\nhint: ${error.hint}\n`)
    warned.add(cli)
    return []
  }
}

/** The note about a previous result that was kept. */
export const previousKept = (place: string): string => `the previous result is kept as ${place}\n`

/** The note about a run that left the result of an earlier one in its place. */
export const nothingMeasured = (file: string): string => `nothing was measured: ${file} is still the earlier result\n`

/** The format of a report, if none was asked for: a text for people on a terminal. */
export const chooseFormat = (asked: Format | undefined, { screen }: Pick<CliContext, 'screen'>): Format =>
  asked ?? (screen.isTerminal ? 'text' : 'md')

/** Text of one report by format, except JSON. */
const textByFormat: Readonly<Record<Exclude<Format, 'json' | 'text'>, (report: Report, result: Result) => string>> = {
  md: ({ markdown }) => markdown,
  github: ({ summary }) => summary,
  csv: ({ csv }) => csv.map(({ text }) => text).join('\n'),
  ycsb: (_, result) => ycsbLines(result),
  rate: (_, result) => formatRateAnswer(result),
}

/** Prints each report as it is added, except for JSON: several reports are printed as one list at the end. */
export type ReportPrinter = { readonly add: (report: Report, result: Result) => void; readonly end: () => void }

/** Creates a printer of `count` reports. */
export function createReportPrinter(
  format: Format,
  count: number,
  { print, printLines, screen }: Pick<CliContext, 'print' | 'printLines' | 'screen'>,
): ReportPrinter {
  const printJson = (value: unknown): void => print(`${JSON.stringify(value, null, 2)}\n`)
  const held: Report[] = []
  return {
    add(report, result) {
      if (format === 'text') printLines(formatTextReport(result, report, screen.columns))
      else if (format !== 'json') print(textByFormat[format](report, result))
      else if (count === 1) printJson(report.json)
      else held.push(report)
    },
    end() {
      if (held.length > 0) printJson(held.map(({ json }) => json))
    },
  }
}
