import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drawChart, renderReport } from '../report/report.ts'
import { type Result } from '../results/schema.ts'
import { type World } from './world.ts'

/** Writes report, tables and charts into the folder of the result, and prints the report. */
export async function writeReport(result: Result, folder: string, format: 'md' | 'json' | 'csv', { print, tell }: Pick<World, 'print' | 'tell'>): Promise<void> {
  const report = renderReport(result)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'report.md'), report.markdown)
  for (const { name, text } of report.csv) await writeFile(join(folder, name), text)
  for (const { file, configuration } of report.charts) await writeFile(join(folder, file), await drawChart(configuration))
  if (format === 'md') print(report.markdown)
  else if (format === 'json') print(`${JSON.stringify(report.json, null, 2)}\n`)
  else print(report.csv.map(({ text }) => text).join('\n'))
  const files = ['result.json', 'report.md', ...report.csv.map(({ name }) => name), ...report.charts.map(({ file }) => file)]
  tell(`\nwritten to ${folder}: ${files.join(', ')}\n`)
}
