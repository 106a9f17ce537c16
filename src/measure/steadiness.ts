import { type OperationResult } from '../results/schema/calls.ts'
import { type Steadiness } from '../results/schema/warnings.ts'

/** Three full seconds per third: with fewer, one slow second decides. */
export const minSeconds = 9
/** The last third may be so much faster or slower than the first. */
export const maxDrift = 0.1
/** (90th - 10th percentile) / median of the seconds may be so large. */
export const maxSpread = 0.3

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Nearest rank. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0
}

/** Successful calls of all operations, second by second, without the last second: it may be a part of one. */
export function throughputPerFullSecond(operations: readonly OperationResult[]): number[] {
  const seconds = Math.max(0, ...operations.map(({ perSecond }) => perSecond.ok.length)) - 1
  return Array.from({ length: Math.max(0, seconds) }, (_, second) =>
    operations.reduce((sum, { perSecond }) => sum + (perSecond.ok[second] ?? 0), 0),
  )
}

/**
 * Did the pace hold? Drifting: the last third differs from the first by more than `maxDrift`, and that difference explains
 * at least half of the spread. Unsettled: the seconds differ by more than that without a direction.
 * @param throughput One number per full second of the window.
 * @param checkpoints Checkpoints of the storage engine inside the window, null where that is not known.
 */
export function steadiness(throughput: readonly number[], checkpoints: number | null): Steadiness {
  if (throughput.length < minSeconds) return { label: 'too short', lastOverFirst: null, spread: null, checkpoints }

  const third = Math.floor(throughput.length / 3)
  const first = mean(throughput.slice(0, third))
  const median = percentile(throughput, 50)
  if (first === 0 || median === 0) return { label: 'unsettled', lastOverFirst: null, spread: null, checkpoints }

  const lastOverFirst = mean(throughput.slice(-third)) / first
  const spread = (percentile(throughput, 90) - percentile(throughput, 10)) / median
  return { label: label(Math.abs(lastOverFirst - 1), spread), lastOverFirst, spread, checkpoints }
}

function label(drift: number, spread: number): Steadiness['label'] {
  if (drift <= maxDrift && spread <= maxSpread) return 'steady'
  return drift >= spread / 2 ? 'drifting' : 'unsettled'
}
