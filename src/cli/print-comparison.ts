import { join } from 'node:path'
import { intervalsChart } from '../report/charts/intervals.ts'
import { drawChart } from '../report/charts/png.ts'
import { isClear, isWorse, type ResultComparison } from '../report/comparison/comparison.ts'
import { type ComparisonFormat, comparisonText } from '../report/comparison/text.ts'
import { prepareOutput, writeOutput } from '../results/results-file.ts'
import { type CliContext } from './cli-context.ts'

/** How a comparison is printed and judged. */
export type PrintOptions = {
  readonly format: ComparisonFormat | 'json'
  /** Whether what is not clear, or measured on one side only, ends with exit code 5 too. */
  readonly strict: boolean
  /** The folder for its text and its chart. */
  readonly out: string | undefined
}

/** Prints and writes a comparison, and ends with its exit code. */
export async function printComparison(
  comparison: ResultComparison,
  { format, strict, out }: PrintOptions,
  cli: CliContext,
): Promise<void> {
  cli.print(format === 'json' ? `${JSON.stringify(comparison, null, 2)}\n` : comparisonText(comparison, format))
  if (out !== undefined) cli.printStatus(`written to ${out}: ${(await writeComparison(comparison, out)).join(', ')}\n`)
  cli.exitWith(comparison.figures.some(isWorse) || (strict && !isClear(comparison)) ? 5 : 0)
}

async function writeComparison(comparison: ResultComparison, folder: string): Promise<readonly string[]> {
  await prepareOutput(folder)
  await writeOutput(join(folder, 'comparison.md'), comparisonText(comparison, 'text'))
  const chart = intervalsChart(comparison)
  if (chart === null) return ['comparison.md']
  await writeOutput(join(folder, 'comparison.png'), await drawChart(chart))
  return ['comparison.md', 'comparison.png']
}
