import { barNumber } from '../charts/scales.ts'
import { type OperationLine, type TimeLine } from '../html/page-data.ts'
import { binStartMs } from '../../results/latency-bins.ts'
import { valuesTable } from './values-table.ts'

/** The operations of each cell of a heat map. */
export function heatTable({ name, histograms }: OperationLine, { step }: TimeLine): HTMLElement {
  const known = histograms.filter(({ length }) => length > 0)
  const first = Math.min(...known.map(([bin = 0]) => bin))
  const end = Math.max(...known.map(([bin = 0, ...counts]) => bin + counts.length))
  const bins = Array.from({ length: end - first }, (_, index) => first + index)
  const header = [
    'Second',
    ...bins.map((bin) => `${barNumber(binStartMs(bin))} to ${barNumber(binStartMs(bin + 1))} ms`),
  ]
  return valuesTable(`Latencies of ${name} over time: operations`, header, () =>
    histograms.map(([from = 0, ...counts], index) => [
      barNumber(index * step),
      ...bins.map((bin) => countText(counts[bin - from] ?? 0)),
    ]),
  )
}

const countText = (count: number): string => (count === 0 ? '' : barNumber(count))
