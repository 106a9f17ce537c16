import { type Histogram } from 'hdr-histogram-js'
import { type Result, type VariantResult } from '../../results/schema.ts'
import { histogramOf } from '../latency.ts'
import { type FullReportSpec } from '../report-spec.ts'
import { type Row } from '../rows.ts'
import { type PercentilesSpec } from '../schema.ts'
import { type PlaceInPhase, scopeOf } from '../scope.ts'
import { rangeOf } from '../statistics.ts'
import { chartRows, dimensionsOf, seriesOf } from './dimensions.ts'
import { type Line, type Picture, type Point, type Tick } from './picture.ts'
import { scaleFor } from './scales.ts'
import { shownRows } from './shown-rows.ts'

const pointsPerDecade = 24
const marks = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999]

/**
 * Latency against percentile. The x axis is 1 / (1 - share), so that each step to the right is ten times rarer: the
 * tail, which people ask for, gets as much room as the middle.
 */
export function percentilesPicture(result: Result, spec: FullReportSpec, chart: PercentilesSpec): Picture {
  const rows = shownRows(result, spec, chart, chartRows(chart))
  const series = dimensionsOf(result, rows, { x: null, series: chart.series ?? [] })
  const phases = new Set(result.variants.flatMap((variant) => variant.phases.map(({ name }) => name)))
  const lines: readonly Line[] = seriesOf(spec, rows, series).flatMap(({ text, members }) =>
    [...phases].flatMap((phase) => {
      const label = [text, phases.size > 1 ? phase : ''].filter((part) => part !== '').join(', ')
      const name = label === '' ? 'Latency (ms)' : label
      const points = pointsOf(members, phase)
      return points.length === 0
        ? []
        : [{ label: name, colourKey: name, keyOf: label === '' ? 'measure' : 'series', axis: 0, dots: false, points }]
    }),
  )
  const values = lines.flatMap(({ points }) => points.flatMap(({ y }) => y ?? []))
  const rarest = Math.max(1, rangeOf(lines.flatMap(({ points }) => points.map(({ x }) => x))).max)
  return {
    kind: 'line',
    title: chart.title ?? 'Latency by percentile',
    x: { kind: 'logarithmic', title: 'Percentile of the successful calls', ticks: ticksUpTo(rarest) },
    y: [{ title: 'Latency (ms)', unit: 'ms', scale: scaleFor(values, chart.scale) }],
    lines,
  }
}

function ticksUpTo(rarest: number): readonly Tick[] {
  return marks
    .map((percent) => ({ value: 1 / (1 - percent / 100), label: `${percent} %` }))
    .filter(({ value }) => value <= rarest * 1.01)
}

function pointsOf(rows: readonly Row[], phase: string): readonly Point[] {
  const histogram = histogramOf(rows.flatMap((row) => row.runs.flatMap((run) => operationsOf(run, row.place, phase))))
  return histogram === null ? [] : tail(histogram)
}

function operationsOf(run: VariantResult, place: PlaceInPhase | null, phase: string) {
  if (place !== null && place.phase !== phase) return []
  return scopeOf(run, place ?? { kind: 'phase', phase })?.operations ?? []
}

/** Ends where a single call is left: beyond it there is nothing to know. */
function tail(histogram: Histogram): readonly Point[] {
  const decades = Math.log10(histogram.totalCount)
  const steps = Math.max(1, Math.ceil(decades * pointsPerDecade))
  return Array.from({ length: steps + 1 }, (_, step) => {
    const x = 10 ** ((decades * step) / steps)
    return { x, y: histogram.getValueAtPercentile(100 * (1 - 1 / x)) / 1000, range: null }
  })
}
