import { compileJson } from '../../../../bench/values.ts'
import { type Json } from '../../../../src/core/json.ts'

/** Rows that `@pickRow` draws: the whole way from the spec's words to the numbers. */
export const pick = (distribution: Json, count: number, draws: number, first = 0): number[] =>
  compileJson({ '@pickRow': { distribution, count, first } }).first(draws).map(Number)

/** How often each of the numbers below `count` was drawn. */
export function tally(drawn: readonly number[], count: number): number[] {
  const times = Array.from({ length: count }, () => 0)
  for (const number of drawn) times[number] = (times[number] ?? 0) + 1
  return times
}

type Cell = { readonly expected: number; readonly observed: number }
const empty: Cell = { expected: 0, observed: 0 }
const together = (one: Cell, other: Cell): Cell => ({
  expected: one.expected + other.expected,
  observed: one.observed + other.observed,
})

/** Chi-square wants no nearly empty cells: neighbours are counted together until so many draws are expected. */
const fewestExpected = 20

function cellsOf(probabilities: readonly number[], drawn: readonly number[]): readonly Cell[] {
  const times = tally(drawn, probabilities.length)
  const cells: Cell[] = []
  let open = empty
  for (const [number, probability] of probabilities.entries()) {
    open = together(open, { expected: probability * drawn.length, observed: times[number] ?? 0 })
    if (open.expected < fewestExpected) continue
    cells.push(open)
    open = empty
  }
  return [...cells.slice(0, -1), together(cells.at(-1) ?? empty, open)]
}

/**
 * Pearson's chi-square of draws against the probabilities of 0, 1, 2, …, in deviations from its mean: of k + 1 cells that is
 * k, the variance 2k. Five deviations come by chance under about one of a hundred thousand seeds, and the seed is fixed.
 */
export function deviationsFrom(probabilities: readonly number[], drawn: readonly number[]): number {
  const cells = cellsOf(probabilities, drawn)
  const statistic = cells.reduce((sum, { expected, observed }) => sum + (observed - expected) ** 2 / expected, 0)
  const freedom = cells.length - 1
  return (statistic - freedom) / Math.sqrt(2 * freedom)
}
