import { type OperationLine } from '../html/page-data.ts'
import { binStartMs } from '../../results/latency-bins.ts'

/** A range of latencies in one step of time, and how many operations it has for its height. */
export type HeatCell = {
  readonly index: number
  readonly low: number
  readonly high: number
  readonly density: number
}

/** The bins with operations. */
export const cellsOfHistograms = ({ histograms }: OperationLine): readonly HeatCell[] =>
  histograms.flatMap(([first = 0, ...counts], index) =>
    counts.flatMap((density, offset) => {
      const bin = first + offset
      return density === 0 ? [] : [{ index, low: binStartMs(bin), high: binStartMs(bin + 1), density }]
    }),
  )

const shares = [0.5, 0.49, 0.01] as const

/** Up to the median, to the p99, and to the maximum: all that older results keep of a second. */
export const cellsOfPercentiles = ({ ok, p50, p99, max, minMs }: OperationLine): readonly HeatCell[] =>
  ok.flatMap((rate, index) => {
    const [median, tail, highest] = [p50[index] ?? null, p99[index] ?? null, max[index] ?? null]
    if (rate === null || median === null || tail === null || highest === null) return []
    const edges = [Math.min(minMs || median / 2, median), median, tail, highest]
    return shares.flatMap((share, part) => {
      const [low = 0, high = 0] = edges.slice(part)
      // A narrow range would be stronger than anything else.
      const decades = Math.max(0.05, Math.log10(high / low))
      return low > 0 && high > low ? [{ index, low, high, density: (share * rate) / decades }] : []
    })
  })
