import { type Evaluation } from '../../metrics/evaluate.ts'
import { type BarSpec, type Dimension, type LineSpec } from '../../metrics/report-schema.ts'
import { type Row } from '../../metrics/rows/rows.ts'
import { isAnswer } from '../../metrics/rows/windows.ts'
import { dimensionTitle, numberOn, placeOn, groupIntoSeries } from './dimensions.ts'
import { explainPoints } from './explanation.ts'
import { extremesFinding } from './headline.ts'
import { labelOn, writeConstants } from './labels.ts'
import { createMeasureLine } from './lines.ts'
import { isDotted, type Line, type Picture, type Point, type XAxis } from './picture.ts'
import { limitedTrust, markTrust } from './point-trust.ts'
import { readChart } from './read-chart.ts'
import { tickAt } from './scales.ts'
import { type Measured, resolveMeasures, measuredTitle, yAxes } from './y-axes.ts'

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
  const groups = groupIntoSeries(spec, rows, series)
  const lines: readonly Line[] = measured.flatMap((one) =>
    groups.map(({ text, members }) =>
      createMeasureLine(one, measured, text, {
        dots: true,
        points: createRowPoints(members, one, xOf, { isMain: one === measured[0], evaluation }),
      }),
    ),
  )
  const drawn: Picture = {
    kind,
    title: chart.title ?? `${measuredTitle(measured)} by ${dimensionTitle(spec, x)}`,
    x: axis,
    measures: measured.map(({ address }) => address.metric),
    y: yAxes(measured, lines, chart.scale),
    lines,
  }
  return { ...drawn, finding: extremesFinding(drawn), legend: formatLegend(drawn, rows, measured, evaluation) }
}

function formatLegend(
  drawn: Picture,
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
  const areBars = drawn.kind === 'bar' && !drawn.lines.some((line) => isDotted(drawn, line))
  const isThroughput = measured.every(({ address }) => address.column.better === 'higher')
  return explainPoints(areBars ? 'Bars' : 'Points', evidence, isThroughput)
}

/** Marks the answer among the steps of a search. */
function standsOut({ runs, ofWindows }: Row): { readonly mark?: string } {
  return ofWindows !== undefined && isAnswer(runs, ofWindows) ? { mark: 'best' } : {}
}

/** @param isMain Whether the best step is marked on this line. */
function createRowPoints(
  rows: readonly Row[],
  { address }: Measured,
  xOf: (row: Row) => number,
  { isMain, evaluation }: { readonly isMain: boolean; readonly evaluation: Evaluation },
): readonly Point[] {
  return rows
    .map((row) => {
      const { cell, range, trust } = evaluation.figure(row, address)
      return {
        x: xOf(row),
        y: typeof cell === 'number' ? cell : null,
        range: range && ([range.low, range.high] as const),
        ...markTrust(trust),
        ...(isMain && standsOut(row)),
      }
    })
    .toSorted((a, b) => a.x - b.x)
}
