/**
 * Adjusts the p values of a family of tests: those at or below α afterwards include a wrong one with a probability of at most α, however the
 * tests depend on each other. Formula: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979.
 * @param pValues 0 to 1 each, in any order; none is allowed.
 * @returns In the order given, 0 to 1 each, never below what was given.
 */
export function holm(pValues: readonly number[]): readonly number[] {
  const adjusted: number[] = []
  let greatest = 0
  const ascending = pValues.map((p, index) => ({ p, index })).toSorted((one, other) => one.p - other.p)
  for (const [rank, { p, index }] of ascending.entries()) {
    greatest = Math.max(greatest, Math.min(1, (pValues.length - rank) * p))
    adjusted[index] = greatest
  }
  return adjusted
}
