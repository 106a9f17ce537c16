import { join } from 'node:path'
import { drawChart, type Report } from '../report/report.ts'
import { prepareOutput, writeOutput } from '../results/results-file.ts'

/** Writes report, tables and charts to a folder, and returns the names of the files. */
export async function writeReport(
  { markdown, csv, charts }: Pick<Report, 'markdown' | 'csv' | 'charts'>,
  folder: string,
): Promise<readonly string[]> {
  await prepareOutput(folder)
  await writeOutput(join(folder, 'report.md'), markdown)
  for (const { name, text } of csv) await writeOutput(join(folder, name), text)
  for (const { file, configuration } of charts) await writeOutput(join(folder, file), await drawChart(configuration))
  return ['report.md', ...csv.map(({ name }) => name), ...charts.map(({ file }) => file)]
}
