/**
 * Figures within this share of the smaller one count as equal. Published figures come from single runs: where
 * "performance-tables" has nearly the same query in two sections, they differ by 3 to 8 %.
 */
export const sameWithin = 0.05

/** A median, with the values of its runs. */
export type Figure = { readonly value: number; readonly runs: readonly number[] }

/** The direction from one figure to another. "unclear": not equal, but the ranges of the runs overlap. */
export type Direction = 'higher' | 'same' | 'lower' | 'unclear'

/** The direction from one figure to another. */
export function directionOf(figure: Figure, from: Figure): Direction {
  const [smaller, larger] = [Math.min(figure.value, from.value), Math.max(figure.value, from.value)]
  if (larger - smaller <= Math.abs(smaller) * sameWithin) return 'same'
  if (doOverlap(figure.runs, from.runs)) return 'unclear'
  return figure.value > from.value ? 'higher' : 'lower'
}

const doOverlap = (a: readonly number[], b: readonly number[]): boolean =>
  Math.min(...a) <= Math.max(...b) && Math.min(...b) <= Math.max(...a)

/** Whether a published direction is reproduced here. */
export type Verdict = 'kept' | 'turned' | 'flat here' | 'not flat here' | 'inconclusive'

/** Compares a measured with a published direction. */
export function verdictOn(published: Direction, measured: Direction): Verdict {
  if (measured === 'unclear') return 'inconclusive'
  if (measured === published) return 'kept'
  if (measured === 'same') return 'flat here'
  return published === 'same' ? 'not flat here' : 'turned'
}

/** Counts of verdicts. */
export type Kept = { readonly kept: number; readonly turned: number; readonly of: number }

/** Counts the kept and the turned directions. */
export const keptOf = (verdicts: readonly Verdict[]): Kept => ({
  kept: verdicts.filter((verdict) => verdict === 'kept').length,
  turned: verdicts.filter((verdict) => verdict === 'turned').length,
  of: verdicts.length,
})
