import { open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { drawChart } from '../../report/charts/drawing/draw-chart.ts'
import { themes } from '../../report/charts/drawing/look.ts'
import { type ReportChart, imageFile } from '../../report/charts/report-chart.ts'
import type { ResultComparison } from '../../report/comparison/comparison.ts'
import { actionBenchmarks, bencherMetrics } from '../../report/formats/benchmark-json.ts'
import { comparisonSuites, junitXml, resultSuite } from '../../report/formats/junit.ts'
import { formatSearchAnswers, formatTextReport } from '../../report/formats/text.ts'
import { type Report, type ReportOptions, renderReport } from '../../report/report.ts'
import { prepareOutput, writeOutput } from '../../results/files/results-file.ts'
import type { Result } from '../../results/schema.ts'
import type { CliContext } from '../cli-context.ts'
import type { GatheredFormat, ReportFormat } from '../options/output-options.ts'
import { pathInRepository } from './check-findings.ts'
import { type Printable, printAs } from './print-as.ts'

/** Renders a report, with a note where `--reference` was given but the spec has no published figures. */
export function makeReport(
  result: Result,
  options: ReportOptions,
  { printStatus }: Pick<CliContext, 'printStatus'>,
): Report {
  const report = renderReport(result, options)
  if (options.reference && report.json.published === null)
    printStatus(
      `the report of ${result.spec.name} has no published figures ("published") to compare with the measured ones\n`,
    )
  return report
}

/** The last line of every command that writes files: the one to open. */
export const reportPlace = (file: string): string => `Report: ${file}\n`

export async function writeReport(
  { markdown, csv, charts }: Pick<Report, 'markdown' | 'csv' | 'charts'>,
  folder: string,
  cli: Pick<CliContext, 'printStatus'>,
): Promise<void> {
  await prepareOutput(folder)
  await writeOutput(join(folder, 'report.md'), markdown)
  for (const { name, text } of csv) await writeOutput(join(folder, name), text)
  await writeCharts(charts, folder, cli)
}

/** Loads what reports are written with: a run that takes hours finds it also where the program is installed anew meanwhile. */
export const loadWriters = (): Promise<unknown> =>
  Promise.all([
    import('../../report/html/report-html.ts'),
    import('../../report/html/comparison-html.ts'),
    import('../../report/charts/drawing/png.ts'),
  ])

/** Writes the report of a result, as one HTML file first: the images of charts need native code, and it does not. */
export async function writeResultReport(
  result: Result,
  report: Report,
  folder: string,
  cli: Pick<CliContext, 'printStatus'>,
): Promise<void> {
  const { renderedHtml } = await import('../../report/html/report-html.ts')
  await prepareOutput(folder)
  await writeOutput(join(folder, 'report.html'), renderedHtml([{ result, report }]))
  await writeReport(report, folder, cli)
}

/** Names the page of a report: below a text for people as a link. */
export function showReportPlace(
  { folder, format }: { readonly folder: string; readonly format: ReportFormat },
  { printStatus, printLines }: Pick<CliContext, 'printStatus' | 'printLines'>,
): void {
  const file = join(folder, 'report.html')
  if (format === 'text') printLines([{ text: `Report: ${file}`, style: 'plain', file }])
  else printStatus(reportPlace(file))
}

/**
 * Writes an HTML file that the user named.
 * @throws {Problem} "output-unwritable", also where it would replace another kind of file, such as the one that is shown.
 */
export async function writeHtml(
  file: string,
  text: string,
  { printStatus }: Pick<CliContext, 'printStatus'>,
): Promise<void> {
  if (!(await isReplaceable(file)))
    throw new Problem('output-unwritable', `${file} exists and is not a page`, {
      hint: 'Only pages are overwritten: name another file with --html.',
    })
  await prepareOutput(dirname(file))
  await writeOutput(file, text)
  printStatus(reportPlace(file))
}

const pageStart = '<!doctype html>'

/** Whether there is no file of that name, an empty one, or a page. What cannot be read fails when it is written. */
async function isReplaceable(file: string): Promise<boolean> {
  await using handle = await open(file).catch(() => undefined)
  const start = await handle?.read(Buffer.alloc(pageStart.length)).catch(() => undefined)
  if (start === undefined || start.bytesRead === 0) return true
  return start.buffer.toString().toLowerCase() === pageStart
}

/** Contexts that were warned that nothing can be drawn here: once a command, not for each of its reports. */
const warned = new WeakSet<object>()

/**
 * Writes the images of charts to a folder, each in every theme. Where nothing can be drawn, there are
 * none, with a warning, and older ones are removed: they would show other figures than the report beside them.
 */
export async function writeCharts(
  charts: readonly ReportChart[],
  folder: string,
  cli: Pick<CliContext, 'printStatus'>,
  draw = drawChart,
): Promise<void> {
  const images = charts.flatMap((chart) =>
    themes.map((theme) => ({ chart, theme, name: imageFile(chart.file, theme) })),
  )
  try {
    for (const { chart, theme, name } of images) await writeOutput(join(folder, name), await draw(chart, theme))
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'no-canvas') throw error
    for (const { name } of images) await rm(join(folder, name), { force: true })
    if (!warned.has(cli)) cli.printStatus(`warning: ${error.message}\nhint: ${error.hint}\n`)
    warned.add(cli)
  }
}

/** The note about a previous result that was kept. */
export const previousKept = (place: string): string => `the previous result is kept as ${place}\n`

/** The note about a run that left the result of an earlier one in its place. */
export const nothingMeasured = (file: string): string => `nothing was measured: ${file} is still the earlier result\n`

/** The note about databases with data that stay on servers of users. */
export const whatStays = (databases: readonly string[]): string =>
  databases
    .map((one) => `the data stays on the server, in the database ${one}: drop it when it is no longer needed\n`)
    .join('')

type Gathered = {
  readonly strict: boolean
  /** Results, each with the path of its spec in the repository, where it is known. */
  readonly results: ReadonlyMap<Result, string | null>
  readonly comparisons: readonly ResultComparison[]
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const gatheredTexts: Readonly<Record<GatheredFormat, (gathered: Gathered) => string>> = {
  junit: ({ results, comparisons, strict }) => {
    const suites = [...results].map(([result, file]) => resultSuite(result, strict, file))
    return junitXml([...suites, ...comparisons.flatMap(comparisonSuites)])
  },
  bencher: ({ results }) => json(bencherMetrics([...results.keys()])),
  customSmallerIsBetter: ({ results }) => json(actionBenchmarks([...results.keys()], 'lower')),
  customBiggerIsBetter: ({ results }) => json(actionBenchmarks([...results.keys()], 'higher')),
}

const isIn = <Name extends string>(texts: Readonly<Record<Name, unknown>>, format: string): format is Name =>
  Object.hasOwn(texts, format)

/** Prints each report as it is added, except for formats in which several reports are one text: that is printed at the end. */
export type ReportPrinter = {
  /** @param spec Its file, where it is known. */
  readonly add: (report: Report, result: Result, spec?: string) => void
  readonly addComparison: (comparison: ResultComparison) => void
  readonly end: () => void
}

/**
 * Creates a printer of reports.
 * @param options.count Number of reports.
 * @param options.strict Whether a threshold that was not judged is a failure. Default: it is not.
 */
export function createReportPrinter(
  format: ReportFormat,
  { count, strict = false }: { readonly count: number; readonly strict?: boolean | undefined },
  cli: Pick<CliContext, 'print' | 'printLines' | 'screen'>,
): ReportPrinter {
  const held: Report[] = []
  const results = new Map<Result, string | null>()
  const comparisons: ResultComparison[] = []
  return {
    add(report, result, spec) {
      if (format === 'rate') cli.printLines(formatSearchAnswers(result, report, cli.screen.columns))
      else if (isIn(gatheredTexts, format)) results.set(result, spec === undefined ? null : pathInRepository(spec))
      else if (format === 'json' && count > 1) held.push(report)
      else printAs(format, printableReport(report, result), cli)
    },
    addComparison: (comparison) => void comparisons.push(comparison),
    end() {
      if (isIn(gatheredTexts, format) && results.size > 0)
        cli.print(gatheredTexts[format]({ results, comparisons, strict }))
      if (held.length > 0) cli.print(json(held.map((report) => report.json)))
    },
  }
}

const printableReport = (report: Report, result: Result): Printable => ({
  text: (columns) => formatTextReport(result, report, columns),
  md: () => report.markdown,
  github: () => report.summary,
  csv: () => report.csv.map(({ text }) => text).join('\n'),
  json: () => report.json,
})
