import { join } from 'node:path'
import { type Report } from '../../report/report.ts'
import { prepareOutput, writeOutput } from '../../results/files/results-file.ts'
import { type Result } from '../../results/schema.ts'
import { type CliContext } from '../cli-context.ts'
import { writeCharts } from './write-charts.ts'

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
