import { join } from 'node:path'
import { type Report } from '../../report/report.ts'
import { prepareOutput, writeOutput } from '../../results/results-file.ts'
import { type Result } from '../../results/schema.ts'
import { writeCharts } from './write-charts.ts'

/** Writes report, tables and charts to a folder, and returns the names of the files. */
export async function writeReport(
  { markdown, csv, charts }: Pick<Report, 'markdown' | 'csv' | 'charts'>,
  folder: string,
): Promise<readonly string[]> {
  await prepareOutput(folder)
  await writeOutput(join(folder, 'report.md'), markdown)
  for (const { name, text } of csv) await writeOutput(join(folder, name), text)
  return ['report.md', ...csv.map(({ name }) => name), ...(await writeCharts(charts, folder))]
}

/** Writes the report of a result, and the same as one HTML file. */
export async function writeResultReport(result: Result, report: Report, folder: string): Promise<readonly string[]> {
  const written = await writeReport(report, folder)
  const { renderedHtml } = await import('../../report/html/report-html.ts')
  await writeOutput(join(folder, 'report.html'), renderedHtml([{ result, report }]))
  return ['report.html', ...written]
}
