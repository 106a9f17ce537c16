import { median } from '../../metrics/statistics.ts'
import { type Steadiness } from '../../results/schema/warnings.ts'
import { criticalValueOfT } from '../../statistics/student-t.ts'
import {
  computeBatches,
  correlationOfNeighbours,
  mean,
  minBatches,
  computePrecisionPercent,
  sumNeighborProducts,
  sumSquaredDeviations,
  varianceInflation,
} from './batch-means.ts'
import { type ThroughputSeries } from './throughput-total.ts'

/** The last third may be so much faster or slower than the first. */
export const maxDrift = 0.1
/** Slow swings may have this standard deviation, as a share of the mean. */
export const maxSwing = 0.1

/** The share of steady windows in which chance alone looks like a drift. */
const driftLevel = 0.01
/** Bound on 99 % of the correlations of independent neighbours, in their standard error 1 / √batches (R. L. Anderson, 1942). */
const maxLikeness = 2.33

/**
 * Did throughput hold, by batch means? Drifting: the last third differs from the first by more than `maxDrift`, and by more than chance explains.
 * Unsettled: neighbouring batches are more alike than random ones, and what they have in common, the slow swings, is more than `maxSwing`.
 * Both take significance and size: noise that a mean averages out is no fault of a window, and is in its precision.
 * @param checkpoints Checkpoints of the storage engine inside the window, null where that is not known.
 */
export function steadiness(series: ThroughputSeries, checkpoints: number | null): Steadiness {
  const batches = computeBatches(series)
  const known = { checkpoints, longestGapSeconds: findLongestGap(series) }
  if (batches.length < minBatches)
    return { label: 'too short', lastOverFirst: null, isDriftSignificant: null, precisionPercent: null, ...known }
  const { lastOverFirst, isSignificant } = computeDrift(batches)
  return {
    label: classifySteadiness(batches, { lastOverFirst, isSignificant }),
    lastOverFirst,
    isDriftSignificant: isSignificant,
    precisionPercent: computePrecisionPercent(batches),
    ...known,
  }
}

/** A bin with a smaller share of the median belongs to a gap. */
const maxShareInGap = 0.25
/** Fewer calls may be missing by chance, where few are made. */
const minCallsMissed = 20

/** A call under way counts in equal parts over its time, so a gap is where next to nothing was done. */
function findLongestGap({ binMs, calls }: ThroughputSeries): number | null {
  const usual = median(calls) ?? 0
  if (usual === 0) return null
  let longest = 0
  let length = 0
  for (const count of calls) {
    length = count < maxShareInGap * usual ? length + 1 : 0
    longest = Math.max(longest, length)
  }
  return longest * usual < minCallsMissed ? 0 : (longest * binMs) / 1000
}

type Drift = {
  /** Null: nothing succeeded in the first third. */
  readonly lastOverFirst: number | null
  readonly isSignificant: boolean
}

function classifySteadiness(batches: readonly number[], { lastOverFirst, isSignificant }: Drift): Steadiness['label'] {
  if (isSignificant && lastOverFirst !== null && Math.abs(lastOverFirst - 1) > maxDrift) return 'drifting'
  return hasSlowSwings(batches) ? 'unsettled' : 'steady'
}

/** Student's t test of the first and the last third, widened where neighbours are alike. */
function computeDrift(batches: readonly number[]): Drift {
  const size = Math.floor(batches.length / 3)
  const thirds = [batches.slice(0, size), batches.slice(-size)] as const
  const [first, last] = thirds.map(mean) as [number, number]
  const squares = sumSquaredDeviations(thirds[0]) + sumSquaredDeviations(thirds[1])
  const products = sumNeighborProducts(thirds[0]) + sumNeighborProducts(thirds[1])
  const degrees = 2 * (size - 1)
  const inflation = varianceInflation(squares === 0 ? 0 : products / squares, size)
  const standardError = Math.sqrt((2 * inflation * squares) / degrees / size)
  return {
    lastOverFirst: first === 0 ? null : last / first,
    isSignificant: Math.abs(last - first) > criticalValueOfT(driftLevel, degrees) * standardError,
  }
}

/** Finds slow swings, which neighbouring batches share; the rest of their variance is noise. */
function hasSlowSwings(batches: readonly number[]): boolean {
  const common = sumNeighborProducts(batches) / batches.length
  const isLikely = correlationOfNeighbours(batches) > maxLikeness / Math.sqrt(batches.length)
  return isLikely && Math.sqrt(common) > maxSwing * mean(batches)
}
