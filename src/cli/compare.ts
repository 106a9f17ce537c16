import { join } from 'node:path'
import { drawChart } from '../report/charts/png.ts'
import { intervalsChart } from '../report/charts/intervals.ts'
import { compareResults, type CompareOptions } from '../report/comparison/compare-results.ts'
import { isClear, isWorse, type ResultComparison } from '../report/comparison/comparison.ts'
import { type ComparisonFormat, comparisonText } from '../report/comparison/text.ts'
import { prepareOutput, writeOutput } from '../results/results-file.ts'
import { type Result } from '../results/schema.ts'
import { type CliContext } from './cli-context.ts'

/** How a comparison is printed and judged. */
export type CompareRequest = CompareOptions & {
  readonly format: ComparisonFormat | 'json'
  /** Whether what is not clear, or measured on one side only, ends with exit code 5 too. */
  readonly strict: boolean
  readonly out: string | undefined
}

/** What is compared. */
export type Sides = {
  readonly a: readonly Result[]
  readonly b: readonly Result[]
  /** What A and B are, unless both were named by the user. */
  readonly note?: string
}

/** Compares the results of two sides, and prints what differs. */
export async function compare({ a, b, note }: Sides, request: CompareRequest, cli: CliContext): Promise<void> {
  const { format, strict, out, ...options } = request
  const comparison = compareResults(a, b, options)
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
  if (chart === null) return ['comparison.md']
  await writeOutput(join(folder, 'comparison.png'), await drawChart(chart))
  return ['comparison.md', 'comparison.png']
}
