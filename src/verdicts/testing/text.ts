import { meanInterval } from '../../statistics/estimate.ts'
import { readableNumber } from '../../metrics/format.ts'
import { median } from '../../metrics/statistics.ts'
import { type CallLoad } from './call-load.ts'
import { type Measurement } from './measurement.ts'

/** Width of the longest bar. */
const barWidth = 40

/** A measurement in a few lines: its figures with their interval, and its latencies as a histogram. */
export function textOf(measurement: Measurement): string {
  const { rounds, calls, latency, distribution } = measurement
  if (latency === null) return ''
  const rates = rounds.map(({ callsPerSecond }) => callsPerSecond)
  const interval = meanInterval(rates.filter((rate) => rate > 0))
  const range =
    interval === null ? '' : ` (95 % interval: ${readableNumber(interval.low)} to ${readableNumber(interval.high)})`
  return [
    `${calls.ok + calls.failed} calls in ${rounds.length} rounds, ${loadText(measurement.load)}: ${readableNumber(median(rates) ?? 0)} per second${range}`,
    `p50 ${readableNumber(latency.p50Ms)} ms, p95 ${readableNumber(latency.p95Ms)} ms, p99 ${readableNumber(latency.p99Ms)} ms`,
    ...histogramLines(distribution),
  ].join('\n')
}

const loadText = (load: CallLoad): string =>
  'workers' in load
    ? `${load.workers} ${load.workers === 1 ? 'worker' : 'workers'}`
    : `a rate of ${load.ratePerSecond} per second`

function histogramLines(distribution: Measurement['distribution']): readonly string[] {
  const most = Math.max(...distribution.map(({ calls }) => calls))
  const edges = distribution.map(({ upToMs }) => `≤ ${upToMs} ms`)
  const width = Math.max(...edges.map((edge) => edge.length))
  return distribution.map(({ calls }, i) => {
    const bar = '█'.repeat(Math.ceil((calls / most) * barWidth))
    return `  ${(edges[i] ?? '').padStart(width)} ${bar} ${calls}`
  })
}
