/** Those that the specification wants recorded. */
export const percents = [10, 25, 50, 75, 90, 95, 98, 99] as const
export type Percent = (typeof percents)[number]
export type Percentiles = Readonly<Record<`p${Percent}`, number>>

/**
 * Nearest rank as the specification computes it: of N sorted values the one at int(N * p / 100) - 1, from 0. With fewer values
 * than 100 / p that is before the first, which is taken then.
 * @param values At least one.
 */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  const value = sorted[Math.max(0, Math.floor((sorted.length * percent) / 100) - 1)]
  if (value === undefined) throw new Error('There is no percentile of no values')
  return value
}

export function percentilesOf(values: readonly number[]): Percentiles {
  const entries = percents.map((percent) => [`p${percent}`, percentile(values, percent)] as const)
  return Object.fromEntries(entries) as Percentiles
}
