import { type Result } from '../../results/schema.ts'
import { type Series } from '../../metrics/columns/column.ts'
import { lengthOfSecond } from '../../metrics/columns/per-second.ts'
import { hasEnoughSamples } from '../../metrics/enough-samples.ts'
import { groupBy } from '../../metrics/group-by.ts'
import { type FullReportSpec } from '../report-spec.ts'
import { type Row, scopesOf } from '../../metrics/rows.ts'
import { type Dimension, type LineSpec } from '../../schema/report-schema.ts'
import { shapeOf } from '../../metrics/scope.ts'
import { rangeOf } from '../../metrics/statistics.ts'
import { chartRows } from '../../metrics/chart-shape.ts'
import { dimensionsOf, seriesText } from './dimensions.ts'
import { type DrawnPhase, faultsOver } from './faults.ts'
import { lineOf } from './lines.ts'
import { type Line, type Picture } from './picture.ts'
import { shownRows } from './shown-rows.ts'
import { isThinned, pixelColumns, type Sample, thinOut } from './thin-out.ts'
import { typicalRun } from './typical-run.ts'
import { type Measured, measuredOf, measuredTitle, yAxes } from './y-axes.ts'

/** A line chart over the seconds of a window. */
export function perSecondPicture(result: Result, spec: FullReportSpec, chart: LineSpec): Picture {
  const asked = draw(result, spec, chart, chartRows(chart))
  // Percentiles of several operations cannot be combined.
  return asked.lines.length > 0 ? asked : draw(result, spec, chart, 'operations')
}

function draw(result: Result, spec: FullReportSpec, chart: LineSpec, kind: ReturnType<typeof chartRows>): Picture {
  const rows = shownRows(result, spec, chart, kind).map(typicalRun)
  const series = dimensionsOf(result, rows, { x: null, series: chart.series ?? [] })
  const measured = measuredOf(chart.y, spec, shapeOf(result), kind)
  const groups = groupBy(rows, (row) => seriesText(spec, row, series))
  const courses = measured.flatMap((one) =>
    [...groups].flatMap(([text, members]) => members.flatMap((row) => courseOf(row, one, text))),
  )
  const phases = drawnPhases({ rows, measured, spec, series })
  const end = endOf(courses, phases)
  const lines: readonly Line[] = courses.map(({ one, text, points }) =>
    lineOf(one, measured, text, {
      dots: false,
      points: thinOut(points, end).map(({ x, y }) => ({ x, y, range: null })),
    }),
  )
  const { remark = '', ...faults } = faultsOver(phases)
  return {
    kind: 'line',
    title: chart.title ?? `${measuredTitle(measured)} over time`,
    x: { kind: 'linear', title: 'Time (s)', ticks: null, end },
    y: yAxes(measured, lines, chart.scale),
    lines,
    ...faults,
    remark: [thinnedRemark(courses), remark].filter((part) => part !== '').join(' · '),
  }
}

type Drawn = {
  readonly rows: readonly Row[]
  readonly measured: readonly Measured[]
  readonly spec: FullReportSpec
  readonly series: readonly Dimension[]
}

/** The drawn phases, each once. The label is that of the row, because operations share a phase. */
function drawnPhases({ rows, measured, spec, series }: Drawn): readonly DrawnPhase[] {
  const ofRows = series.filter((dimension) => 'parameter' in dimension)
  const phases = new Map(
    rows.flatMap((row) =>
      measured.flatMap(({ address }) =>
        scopesOf(row, address).map(({ phase }) => [phase, seriesText(spec, row, ofRows)] as const),
      ),
    ),
  )
  return [...phases].map(([phase, name]) => ({ phase, name }))
}

type Course = { readonly one: Measured; readonly text: string; readonly points: readonly Sample[] }

function courseOf(row: Row, one: Measured, text: string): readonly Course[] {
  const { column } = one.address
  const [scope] = scopesOf(row, one.address)
  const series = scope === undefined || !('perSecond' in column) ? null : column.perSecond?.(scope)
  // A window without enough samples for a percentile has no second with enough.
  return scope === undefined || !series || !hasEnoughSamples(column, [scope])
    ? []
    : [{ one, text, points: samplesOf(series, scope.phase.wallSeconds) }]
}

/** Places each value in the middle of its second. */
function samplesOf(series: Series, wallSeconds: number): readonly Sample[] {
  return series.map((y, second) => {
    const length = lengthOfSecond(second, series, wallSeconds)
    return { x: second + length / 2, y: length === 0 ? null : y }
  })
}

/** The end of the longest window, or the last second of a stream that lags behind it. */
function endOf(courses: readonly Course[], phases: readonly DrawnPhase[]): number {
  const seconds = courses.flatMap(({ points }) => points.flatMap(({ x, y }) => (y === null ? [] : [Math.round(x)])))
  return rangeOf([...phases.map(({ phase }) => phase.wallSeconds), ...seconds]).max
}

const thinnedRemark = (courses: readonly Course[]): string =>
  courses.some(({ points }) => isThinned(points)) ? `Lowest and highest second of each of ${pixelColumns} columns` : ''
