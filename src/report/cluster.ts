/** How many times the larger of two neighbours is the smaller one. What rises from 0 or below is as far apart as can be. */
const ratioOf = (smaller: number, larger: number): number =>
  larger === smaller ? 1 : smaller > 0 ? larger / smaller : Infinity

/**
 * Cuts values, sorted, at the largest ratios between neighbours into as many groups as there are names. Equal values are
 * never parted, so there may be fewer groups. Null for what has no value.
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
