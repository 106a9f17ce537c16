import { type Result } from '../../results/schema.ts'
import { columnOf } from '../columns.ts'
import { type Series } from '../columns/column.ts'
import { groupBy } from '../group-by.ts'
import { type FullReportSpec } from '../report-spec.ts'
import { type Row, scopesOf } from '../rows.ts'
import { type Dimension, type LineSpec } from '../schema.ts'
import { shapeOf } from '../scope.ts'
import { rangeOf } from '../statistics.ts'
import { chartRows, dimensionsOf, seriesText } from './dimensions.ts'
import { type DrawnPhase, faultsOver } from './faults.ts'
import { lineOf } from './lines.ts'
import { type Line, type Picture, type Point } from './picture.ts'
import { shownRows } from './shown-rows.ts'
import { isThinned, pixelColumns, thinOut } from './thin-out.ts'
import { typicalRun } from './typical-run.ts'
import { type Measured, measuredOf, measuredTitle, yAxes } from './y-axes.ts'

/** The course of a window, second by second. */
export function perSecondPicture(result: Result, spec: FullReportSpec, chart: LineSpec): Picture {
  const asked = draw(result, spec, chart, chartRows(chart))
  // Percentiles of one second are known for each operation, and cannot be put together.
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
  const length = rangeOf(courses.map(({ course }) => course.length)).max + 1
  const lines: readonly Line[] = courses.map(({ one, text, course }) =>
    lineOf(one, measured, text, { dots: false, points: pointsOf(course, length) }),
  )
  const { remark = '', ...faults } = faultsOver(drawnPhases({ rows, measured, spec, series }))
  return {
    kind: 'line',
    title: chart.title ?? `${measuredTitle(measured)} over time`,
    x: { kind: 'linear', title: 'Time (s)', ticks: null },
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

/** Every phase once, however many lines it has. It is called by what tells its row from others, for operations share a phase. */
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

type Course = { readonly one: Measured; readonly text: string; readonly course: Series }

function courseOf(row: Row, one: Measured, text: string): readonly Course[] {
  const course = seriesOf(row, one)
  return course === null ? [] : [{ one, text, course }]
}

function pointsOf(course: Series, length: number): readonly Point[] {
  const points = course.map((y, second) => ({ x: second + 1, y }))
  return thinOut(points, length).map(({ x, y }) => ({ x, y, range: null }))
}

const thinnedRemark = (courses: readonly Course[]): string =>
  courses.some(({ course }) => isThinned(course)) ? `Lowest and highest second of each of ${pixelColumns} columns` : ''

function seriesOf(row: Row, { address }: Measured): Series | null {
  const column = columnOf(address.measure)
  const [scope] = scopesOf(row, address)
  return scope === undefined || !('perSecond' in column) ? null : (column.perSecond?.(scope) ?? null)
}
