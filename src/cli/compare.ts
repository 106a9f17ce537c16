import { compareResults, type CompareOptions } from '../report/comparison/compare-results.ts'
import { type CliContext } from './cli-context.ts'
import { findResults } from './find-results.ts'
import { printComparison, type PrintOptions } from './print-comparison.ts'

/** How a comparison is made, printed and judged. */
export type CompareRequest = CompareOptions & PrintOptions

/** Compares the results at two paths, and prints what differs. */
export async function compare(a: string, b: string, request: CompareRequest, cli: CliContext): Promise<void> {
  await printComparison(compareResults(await findResults(a), await findResults(b), request), request, cli)
}
