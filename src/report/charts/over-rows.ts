import { type Result } from '../../results/schema.ts'
import { type FullReportSpec } from '../report-spec.ts'
import { isBest } from '../../metrics/peak-steps.ts'
import { measuredCell, type Row, runRangeOf } from '../../metrics/rows.ts'
import { rangesRemark } from '../../metrics/run-range.ts'
import { type BarSpec, type Dimension, type LineSpec } from '../../schema/report-schema.ts'
import { shapeOf } from '../../metrics/scope.ts'
import { chartRows } from '../../metrics/chart-shape.ts'
import { dimensionsOf, dimensionTitle, labelOn, numberOn, placeOn, seriesOf } from './dimensions.ts'
import { lineOf } from './lines.ts'
import { type Line, type Picture, type Point, type Tick, type XAxis } from './picture.ts'
import { shownRows } from './shown-rows.ts'
import { type Measured, measuredOf, measuredTitle, yAxes } from './y-axes.ts'

/** Largest value divided by the smallest, from which the x axis is logarithmic. */
const logarithmicFrom = 20

/** A bar chart with one group of bars for each value of x. */
export function barPicture(result: Result, spec: FullReportSpec, chart: BarSpec): Picture {
  const rows = shownRows(result, spec, chart, chartRows(chart))
  const title = dimensionTitle(spec, chart.x)
  return picture({ result, spec, chart, x: chart.x, rows, ...categoryAxis(title, rows, chart.x) })
}

/** A line chart over a parameter: on a number axis if all values are numbers, else on categories. */
export function linePicture(result: Result, spec: FullReportSpec, chart: LineSpec, x: Dimension): Picture {
  const rows = shownRows(result, spec, chart, chartRows(chart))
  const numbers = rows.map((row) => numberOn(row, x))
  const title = dimensionTitle(spec, x)
  const known = numbers.flatMap((number) => number ?? [])
  return known.length === rows.length
    ? picture({ result, spec, chart, x, rows, axis: numberAxis(title, known), xOf: (row) => numberOn(row, x) ?? 0 })
    : picture({ result, spec, chart, x, rows, ...categoryAxis(title, rows, x) })
}

function categoryAxis(title: string, rows: readonly Row[], x: Dimension): Pick<Parts, 'axis' | 'xOf'> {
  const labels = new Map(rows.map((row) => [placeOn(row, x), labelOn(row, x)]))
  const places = [...labels.keys()]
  return {
    axis: { kind: 'category', title, labels: [...labels.values()] },
    xOf: (row) => places.indexOf(placeOn(row, x)),
  }
}

/** A number axis with a tick for every value; logarithmic for wide ranges such as 1, 10, 100. */
function numberAxis(title: string, numbers: readonly number[]): XAxis {
  const values = [...new Set(numbers)].toSorted((a, b) => a - b)
  const ticks: readonly Tick[] = values.map((value) => ({ value, label: String(value) }))
  const [min = 0] = values
  const isWide = min > 0 && (values.at(-1) ?? 0) / min >= logarithmicFrom
  return { kind: isWide ? 'logarithmic' : 'linear', title, ticks }
}

type Parts = {
  readonly result: Result
  readonly spec: FullReportSpec
  readonly chart: BarSpec | LineSpec
  readonly x: Dimension
  readonly rows: readonly Row[]
  readonly axis: XAxis
  readonly xOf: (row: Row) => number
}

function picture({ result, spec, chart, x, rows, axis, xOf }: Parts): Picture {
  const measured = measuredOf(chart.y, spec, shapeOf(result), chartRows(chart))
  const series = dimensionsOf(result, rows, { x, series: chart.series ?? [] })
  const groups = seriesOf(spec, rows, series)
  const lines: readonly Line[] = measured.flatMap((one) =>
    groups.map(({ text, members }) =>
      lineOf(one, measured, text, { dots: true, points: pointsOf(members, one, xOf, one === measured[0]) }),
    ),
  )
  const y = yAxes(measured, lines, chart.scale)
  const title = chart.title ?? `${measuredTitle(measured)} by ${axis.title}`
  const ranges = measured.flatMap(({ address }) => rows.map((row) => runRangeOf(row, address)))
  return { kind: chart.kind, title, x: axis, y, lines, errorBars: rangesRemark(ranges) }
}

/** Marks the best number of workers among the steps of a search. */
function standsOut({ runs, peakStep }: Row): { readonly mark?: string } {
  return peakStep !== undefined && isBest(runs, peakStep) ? { mark: 'best' } : {}
}

/** @param isMain Whether the best step is marked on this line. */
function pointsOf(
  rows: readonly Row[],
  { address }: Measured,
  xOf: (row: Row) => number,
  isMain: boolean,
): readonly Point[] {
  return rows
    .map((row) => {
      const cell = measuredCell(row, address)
      const range = runRangeOf(row, address)
      return {
        x: xOf(row),
        y: typeof cell === 'number' ? cell : null,
        range: range && ([range.low, range.high] as const),
        ...(isMain && standsOut(row)),
      }
    })
    .toSorted((a, b) => a.x - b.x)
}
