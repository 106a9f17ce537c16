import { sum } from '../../metrics/statistics.ts'

type Histogram = readonly number[]

/** Adds up the histograms of every `step` seconds. Each is the number of its first bin, and the counts from that bin on. */
export const histogramsInSteps = (seconds: readonly Histogram[], step: number): readonly Histogram[] =>
  Array.from({ length: Math.ceil(seconds.length / step) }, (_, index) =>
    added(seconds.slice(index * step, (index + 1) * step).filter(({ length }) => length > 0)),
  )

function added(histograms: readonly Histogram[]): Histogram {
  if (histograms.length === 0) return []
  const all = histograms.map(([first = 0, ...counts]) => ({ first, counts, end: first + counts.length }))
  const [first, end] = [Math.min(...all.map((one) => one.first)), Math.max(...all.map((one) => one.end))]
  const countIn = (bin: number): number => sum(all.map((one) => one.counts[bin - one.first] ?? 0))
  return [first, ...Array.from({ length: end - first }, (_, index) => countIn(first + index))]
}
