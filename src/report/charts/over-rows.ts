import { type Evaluation } from '../../metrics/evaluate.ts'
import { type BarSpec, type Dimension, type LineSpec } from '../../metrics/report-schema.ts'
import { type Row } from '../../metrics/rows/rows.ts'
import { isAnswer } from '../../metrics/rows/windows.ts'
import { dimensionTitle, groupIntoSeries, numberOn, placeOn, readChart } from './dimensions.ts'
import { explainPoints, limitedTrust, markTrust } from './explanation.ts'
import { extremesFinding } from './headline.ts'
import { labelOn, writeConstants } from './labels.ts'
import { isDotted, type Line, type Picture, type Point, type XAxis } from './picture.ts'
import { tickAt } from './scales.ts'
import { createMeasureLine, type Measured, resolveMeasures, measuredTitle, yAxes } from './y-axes.ts'

/** Largest value divided by the smallest, from which the x axis is logarithmic. */
const logarithmicFrom = 20
/** Two numbers are two cases; with more there is a course between them. */
const minNumbers = 3

/**
 * Measures over a parameter, or over a part of the rows: points on an axis of numbers where all values are numbers, else a group
 * of bars, or points, for each value.
 */
export function rowsPicture(evaluation: Evaluation, chart: BarSpec | (LineSpec & { readonly x: Dimension })): Picture {
  const { spec } = evaluation
  const { x } = chart
  const { rows } = readChart(evaluation, chart, { x })
  const title = dimensionTitle(spec, x)
  const known = [...new Set(rows.flatMap((row) => numberOn(row, x) ?? []))]
  const areNumbers = rows.every((row) => numberOn(row, x) !== null)
  const isCourse = areNumbers && (chart.kind === 'line' || known.length >= minNumbers)
  return isCourse
    ? picture({
        evaluation,
        chart,
        kind: 'line',
        axis: numberAxis(title, known),
        xOf: (row) => numberOn(row, x) ?? 0,
      })
    : picture({ evaluation, chart, kind: chart.kind, ...categoryAxis(title, rows, x) })
}

function categoryAxis(title: string, rows: readonly Row[], x: Dimension): Pick<Parts, 'axis' | 'xOf'> {
  const labels = new Map(rows.map((row) => [placeOn(row, x), labelOn(row, x)]))
  const places = [...labels.keys()]
  return {
    axis: { kind: 'category', title, labels: writeConstants([...labels.values()]) },
    xOf: (row) => places.indexOf(placeOn(row, x)),
  }
}

/** A number axis with a tick for every value; logarithmic for wide ranges such as 1, 10, 100. */
export function numberAxis(title: string, numbers: readonly number[]): XAxis {
  const values = numbers.toSorted((a, b) => a - b)
  const [min = 0] = values
  const isWide = min > 0 && (values.at(-1) ?? 0) / min >= logarithmicFrom
  return {
    kind: isWide ? 'logarithmic' : 'linear',
    title: isWide ? `${title}, log scale` : title,
    ticks: values.map(tickAt),
  }
}

type Parts = {
  readonly evaluation: Evaluation
  readonly chart: BarSpec | (LineSpec & { readonly x: Dimension })
  readonly kind: 'bar' | 'line'
  readonly axis: XAxis
  readonly xOf: (row: Row) => number
}

function picture({ evaluation, chart, kind, axis, xOf }: Parts): Picture {
  const { x } = chart
  const { spec } = evaluation
  const { rows, series, ...read } = readChart(evaluation, chart, { x })
  const measured = resolveMeasures(chart.y, evaluation, read.kind)
  const lines = createRowLines(rows, measured, {
    evaluation,
    series,
    orderOf: xOf,
    placeOf: (row, one) => ({ x: xOf(row), ...(one === measured[0] && markAnswer(row)) }),
  })
  const drawn: Picture = {
    kind,
    title: chart.title ?? `${measuredTitle(measured)} by ${dimensionTitle(spec, x)}`,
    x: axis,
    measures: measured.map(({ address }) => address.metric),
    y: yAxes(measured, lines, chart.scale),
    lines,
  }
  const areBars = kind === 'bar' && !lines.some((line) => isDotted(drawn, line))
  const legend = explainRows(areBars ? 'Bars' : 'Points', rows, measured, evaluation)
  return { ...drawn, finding: extremesFinding(drawn), legend }
}

/** Marks the answer among the steps of a search. */
function markAnswer({ runs, ofWindows }: Row): Pick<Point, 'mark'> {
  return ofWindows !== undefined && isAnswer(runs, ofWindows) ? { mark: 'best' } : {}
}

/** How rows become points. */
type Placing = {
  readonly evaluation: Evaluation
  readonly series: readonly Dimension[]
  /** The order of the points of a line. */
  readonly orderOf: (row: Row) => number
  /** The place of a row on the line of a measure. Null: it has none. */
  readonly placeOf: (row: Row, one: Measured) => Pick<Point, 'x' | 'name' | 'mark'> | null
}

/** A line for each series of rows and each measure. */
export function createRowLines(
  rows: readonly Row[],
  measured: readonly Measured[],
  { evaluation: { spec, figure }, series, orderOf, placeOf }: Placing,
): readonly Line[] {
  const pointOf = (row: Row, one: Measured): readonly Point[] => {
    const place = placeOf(row, one)
    const { cell, range, trust } = figure(row, one.address)
    const y = typeof cell === 'number' ? cell : null
    return place === null ? [] : [{ ...place, y, range: range && [range.low, range.high], ...markTrust(trust) }]
  }
  const groups = groupIntoSeries(spec, rows, series)
  return measured.flatMap((one) =>
    groups.map(({ text, members }) => {
      const inOrder = members.toSorted((a, b) => orderOf(a) - orderOf(b))
      return createMeasureLine(one, measured, text, {
        dots: true,
        points: inOrder.flatMap((row) => pointOf(row, one)),
      })
    }),
  )
}

/** Explains the points of rows, their whiskers, and why some are hollow. */
export function explainRows(
  drawn: 'Bars' | 'Points',
  rows: readonly Row[],
  measured: readonly Measured[],
  { figure }: Evaluation,
): string {
  const evidence = measured.flatMap(({ address }) =>
    rows
      .map((row) => figure(row, address))
      .filter(({ cell }) => typeof cell === 'number')
      .map(({ runs, range, trust }) => ({ runs: runs.length, range, trust: limitedTrust(trust) })),
  )
  return explainPoints(
    drawn,
    evidence,
    measured.every(({ address }) => address.column.better === 'higher'),
  )
}
