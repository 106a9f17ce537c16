/**
 * Figures that are no further apart than this share of the smaller one count as the same. Published figures are of
 * single runs: where "performance-tables" has nearly the same query in two sections, they are 3 to 8 % apart.
 */
export const sameWithin = 0.05

/** A figure, and those of the runs that it is the median of. */
export type Figure = { readonly value: number; readonly runs: readonly number[] }

/** Where a figure lies as seen from another. "unclear": further apart than the same, yet the ranges of the runs overlap. */
export type Direction = 'higher' | 'same' | 'lower' | 'unclear'

export function directionOf(figure: Figure, from: Figure): Direction {
  const [smaller, larger] = [Math.min(figure.value, from.value), Math.max(figure.value, from.value)]
  if (larger - smaller <= Math.abs(smaller) * sameWithin) return 'same'
  if (doOverlap(figure.runs, from.runs)) return 'unclear'
  return figure.value > from.value ? 'higher' : 'lower'
}

const doOverlap = (a: readonly number[], b: readonly number[]): boolean =>
  Math.min(...a) <= Math.max(...b) && Math.min(...b) <= Math.max(...a)

/** How a published direction came out here. */
export type Verdict = 'kept' | 'turned' | 'flat here' | 'not flat here' | 'inconclusive'

export function verdictOn(published: Direction, measured: Direction): Verdict {
  if (measured === 'unclear') return 'inconclusive'
  if (measured === published) return 'kept'
  if (measured === 'same') return 'flat here'
  return published === 'same' ? 'not flat here' : 'turned'
}

export type Kept = { readonly kept: number; readonly turned: number; readonly of: number }

export const keptOf = (verdicts: readonly Verdict[]): Kept => ({
  kept: verdicts.filter((verdict) => verdict === 'kept').length,
  turned: verdicts.filter((verdict) => verdict === 'turned').length,
  of: verdicts.length,
})
