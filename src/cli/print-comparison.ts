import { join } from 'node:path'
import { intervalsChart } from '../report/charts/intervals.ts'
import { isClear, isWorse, type ResultComparison } from '../report/comparison/comparison.ts'
import { type ComparisonFormat, comparisonText } from '../report/comparison/text.ts'
import { prepareOutput, writeOutput } from '../results/results-file.ts'
import { type CliContext } from './cli-context.ts'
import { writeCharts } from './write-charts.ts'

/** How a comparison is printed and judged. */
export type PrintOptions = {
  readonly format: ComparisonFormat | 'json'
  /** Whether what is not clear, or measured on one side only, ends with exit code 5 too. */
  readonly strict: boolean
  /** The folder for its text and its chart. */
  readonly out: string | undefined
  /** A line below the comparison. Default: none. */
  readonly note?: string | undefined
}

/** Prints and writes a comparison, and ends with its exit code. */
export async function printComparison(
  comparison: ResultComparison,
  { format, strict, out, note }: PrintOptions,
  cli: CliContext,
): Promise<void> {
  const text = format === 'json' ? `${JSON.stringify(comparison, null, 2)}\n` : comparisonText(comparison, format)
  cli.print(note === undefined || format === 'json' ? text : `${text}\n${note}\n`)
  if (out !== undefined) cli.printStatus(`written to ${out}: ${(await writeComparison(comparison, out)).join(', ')}\n`)
  cli.exitWith(comparison.figures.some(isWorse) || (strict && !isClear(comparison)) ? 5 : 0)
}

/** Writes a comparison and a chart of its intervals to a folder, and returns the names of the files. */
export async function writeComparison(comparison: ResultComparison, folder: string): Promise<readonly string[]> {
  await prepareOutput(folder)
  await writeOutput(join(folder, 'comparison.md'), comparisonText(comparison, 'text'))
  const chart = intervalsChart(comparison)
  return ['comparison.md', ...(await writeCharts(chart === null ? [] : [chart], folder))]
}
