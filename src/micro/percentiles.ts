/** The percentiles that the specification requires. */
export const percents = [10, 25, 50, 75, 90, 95, 98, 99] as const
/** One of these percentiles. */
export type Percent = (typeof percents)[number]
/** Values by percentile. */
export type Percentiles = Readonly<Record<`p${Percent}`, number>>

/**
 * A percentile by nearest rank, as in the specification: of N sorted values the one at int(N * p / 100) - 1, from 0, but at
 * least the first.
 * @param values At least one value.
 */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  const value = sorted[Math.max(0, Math.floor((sorted.length * percent) / 100) - 1)]
  if (value === undefined) throw new Error('There is no percentile of no values')
  return value
}

/** All percentiles of the specification. */
export function computePercentiles(values: readonly number[]): Percentiles {
  const entries = percents.map((percent) => [`p${percent}`, percentile(values, percent)] as const)
  return Object.fromEntries(entries) as Percentiles
}
