import { type Result } from '../../results/schema.ts'
import { type Course } from '../../metrics/columns/column.ts'
import { groupBy } from '../../metrics/group-by.ts'
import { type FullReportSpec } from '../report-spec.ts'
import { type Row, scopesOf } from '../../metrics/rows.ts'
import { type LineSpec } from '../../metrics/report-schema.ts'
import { shapeOf } from '../../metrics/scope.ts'
import { sum } from '../../metrics/statistics.ts'
import { chartRows } from '../../metrics/chart-shape.ts'
import { dimensionsOf, seriesText } from './dimensions.ts'
import { coursesFinding } from './headline.ts'
import { lineOf } from './lines.ts'
import { type Line, type Picture } from './picture.ts'
import { comparedLines, isCompared } from './point-trust.ts'
import { shownRows } from './shown-rows.ts'
import { isThinned, pixelColumns, thinOut } from './thin-out.ts'
import { typicalRun } from './typical-run.ts'
import { type Measured, measuredOf, measuredTitle, yAxes } from './y-axes.ts'

/** A line chart of individual operations in order. It shows what a median hides, such as slow first operations and stalls. */
export function perCallPicture(result: Result, spec: FullReportSpec, chart: LineSpec): Picture {
  const kind = chartRows(chart)
  const rows = shownRows(result, spec, chart, kind).map(typicalRun)
  const series = dimensionsOf(result, rows, { x: null, series: chart.series ?? [] })
  const measured = measuredOf(chart.y, spec, shapeOf(result), kind)
  const courses = measured.flatMap((one) =>
    [...groupBy(rows, (row) => seriesText(spec, row, series))].flatMap(([text, members]) =>
      members.flatMap((row) => {
        const course = courseOf(row, one)
        return course === null ? [] : [{ one, text, course, isCompared: isCompared(row, one.address) }]
      }),
    ),
  )
  const end = Math.max(1, ...courses.map(({ course }) => course.points.at(-1)?.x ?? 0))
  const lines: readonly Line[] = courses.map(({ one, text, course }) =>
    lineOf(one, measured, text, {
      dots: false,
      points: thinOut(course.points, end + 1).map(({ x, y }) => ({ x, y, range: null })),
    }),
  )
  const y = yAxes(measured, lines, chart.scale)
  return {
    kind: 'line',
    title: chart.title ?? `${measuredTitle(measured)} of single operations`,
    finding: coursesFinding({ y, lines: comparedLines(lines, courses) }),
    x: { kind: 'linear', title: 'Operation', ticks: null, end },
    y,
    lines,
    legend: 'Line: single operations in the order of execution',
    remark: remarkOn(courses.map(({ course }) => course)),
  }
}

function courseOf(row: Row, { address }: Measured): Course | null {
  const { column } = address
  const [scope] = scopesOf(row, address)
  return scope === undefined || !('perCall' in column) ? null : column.perCall(scope)
}

/** A remark on the points that the line leaves out. */
function remarkOn(courses: readonly Course[]): string {
  const dropped = sum(courses.map((course) => course.dropped))
  return [
    ...(courses.some(({ points }) => isThinned(points))
      ? [`Lowest and highest operation of each of ${pixelColumns} columns`]
      : []),
    ...(dropped > 0 ? [`${dropped} later operations were not kept`] : []),
  ].join(' · ')
}
