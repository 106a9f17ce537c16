/** The shares of percentiles, by the names of statistics. */
export const percentileShares = { p50Ms: 0.5, p95Ms: 0.95, p99Ms: 0.99, p999Ms: 0.999 } as const

/** A statistic that is a percentile. */
export type PercentileName = keyof typeof percentileShares

/** Whether a statistic is a percentile, and not a mean or an end of the range. */
export const isPercentile = (statistic: string): statistic is PercentileName =>
  Object.hasOwn(percentileShares, statistic)

/** With fewer samples above it, a percentile is one of a few slow operations. */
const samplesAbove = 10

/** How many samples make a percentile: a median 20, a p99 1000. */
export const samplesNeeded = (share: number): number => Math.round(samplesAbove / (1 - share))
