import { join } from 'node:path'
import { type Report } from '../report/report.ts'
import { prepareOutput, writeOutput } from '../results/results-file.ts'
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
