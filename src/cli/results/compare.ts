import { compareResults, type CompareOptions } from '../../report/comparison/compare-results.ts'
import { type Result } from '../../results/schema.ts'
import { type CliContext } from '../cli-context.ts'
import { printComparison, type PrintOptions } from './print-comparison.ts'

/** How a comparison is made, printed and judged. */
export type CompareRequest = CompareOptions & Omit<PrintOptions, 'note'>

/** What is compared. */
export type Sides = {
  readonly a: readonly Result[]
  readonly b: readonly Result[]
  /** What A and B are, unless both were named by the user. */
  readonly note?: string
}

/** Compares the results of two sides, and prints what differs. */
export async function compare({ a, b, note }: Sides, request: CompareRequest, cli: CliContext): Promise<void> {
  await printComparison({ a, b, comparison: compareResults(a, b, request) }, { ...request, note }, cli)
}
