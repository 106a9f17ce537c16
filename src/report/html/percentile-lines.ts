import { type Result } from '../../results/schema.ts'
import { type Latency } from '../../results/schema/latency.ts'
import { areFromPlan, histogramOf, timesThatCount } from '../../metrics/latency.ts'
import { samplesNeeded } from '../../metrics/percentile.ts'
import { rowsOf } from '../../metrics/rows.ts'
import { scopeOf } from '../../metrics/scope.ts'
import { type FullReportSpec } from '../report-spec.ts'
import { percentileAt, type PercentileLine } from './page-data.ts'
import { rounded } from './rounded.ts'
import { labelled } from './labelled.ts'

/** Latency by percentile of every operation of every row, over its runs; response times in an open loop. */
export function percentileLinesOf(result: Result, spec: FullReportSpec): readonly PercentileLine[] {
  return labelled(result, spec, rowsOf(result, 'operations')).flatMap(({ row, label }) => {
    const { place } = row
    if (place?.kind !== 'operation') return []
    const operations = row.runs.flatMap((run) => scopeOf(run, place)?.operations ?? [])
    const ms = pointsOf(timesThatCount(operations))
    return ms.length === 0 ? [] : [{ label: label || place.operation, ms, isFromPlan: areFromPlan(operations) }]
  })
}

function pointsOf(parts: readonly Latency[]): readonly number[] {
  const histogram = histogramOf(parts)
  if (histogram === null || histogram.totalCount < samplesNeeded(0.5)) return []
  const points: number[] = []
  // With fewer samples above it, a percentile is one of a few slow operations.
  for (let at = 1; histogram.totalCount >= samplesNeeded(1 - 1 / at); at = percentileAt(points.length))
    points.push(rounded(histogram.getValueAtPercentile(100 * (1 - 1 / at)) / 1000))
  return points
}
