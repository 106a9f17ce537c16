/** Ratio of the larger to the smaller of two neighbours; infinite if the smaller is 0 or negative. */
const ratioOf = (smaller: number, larger: number): number =>
  larger === smaller ? 1 : smaller > 0 ? larger / smaller : Infinity

/**
 * Splits sorted values at the largest ratios between neighbours, into one group for each name. Equal values stay together,
 * so there may be fewer groups. The name of a missing value is null.
 */
export function clusterNames(values: readonly (number | null)[], names: readonly string[]): readonly (string | null)[] {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  const cuts = sorted
    .slice(1)
    .map((value, index) => ({ value, ratio: ratioOf(sorted[index] ?? value, value) }))
    .filter(({ ratio }) => ratio > 1)
    .toSorted((a, b) => b.ratio - a.ratio)
    .slice(0, Math.max(0, names.length - 1))
    .map(({ value }) => value)
  return values.map((value) =>
    value === null ? null : (names[cuts.filter((firstOfGroup) => value >= firstOfGroup).length] ?? null),
  )
}
