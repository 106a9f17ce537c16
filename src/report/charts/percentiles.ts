import { type Histogram } from 'hdr-histogram-js'
import { type Evaluation } from '../../metrics/evaluate.ts'
import { areFromPlan, mergeHistograms, timesThatCount, samplesNeeded } from '../../metrics/latency.ts'
import { type Dimension, type PercentilesSpec } from '../../metrics/report-schema.ts'
import { type Row } from '../../metrics/rows/rows.ts'
import { type Calls, type TargetInPhase, createScope } from '../../metrics/scope.ts'
import { computeRange } from '../../metrics/statistics.ts'
import { type VariantResult } from '../../results/schema.ts'
import { groupIntoSeries, readChart } from './dimensions.ts'
import { comparedLines, isCompared } from './explanation.ts'
import { tailsFinding } from './headline.ts'
import { type Line, type Picture, type Point, type Tick } from './picture.ts'
import { scaleFor } from './scales.ts'
import { determineTimeOrigin, originTexts, type TimeOrigin } from './time-origin.ts'

const pointsPerDecade = 24
const marks = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999]
/** More lines would overlap, and their legend would take the room of the plot. */
const maxLines = 8

/**
 * Charts of latency by percentile, of response times in an open loop. The x axis is 1 / (1 - share), so that the tail gets as much room as the middle. If one
 * chart would have too many lines, they are split into several.
 */
export function percentilesPictures(evaluation: Evaluation, chart: PercentilesSpec): readonly Picture[] {
  const { result, spec } = evaluation
  const { rows, series } = readChart(evaluation, chart)
  const phases = [...new Set(result.variants.flatMap((variant) => variant.phases.map(({ name }) => name)))]
  const linesFor = (of: readonly Row[], dimensions: readonly Dimension[]): readonly TimedLine[] =>
    groupIntoSeries(spec, of, dimensions).flatMap(({ text, members }) => createPhaseLines(text, members, phases))
  const all = linesFor(rows, series)
  const title = chart.title ?? `${originTexts[determineTimeOrigin(all)].name} by percentile`
  const ofEach = (dimension: Dimension): readonly ChartPart[] =>
    groupIntoSeries(spec, rows, [dimension]).map(({ text, members }) => {
      const others = series.filter((other) => other !== dimension)
      return { title: `${title}: ${text}`, lines: linesFor(members, others) }
    })
  const parts =
    all.length <= maxLines
      ? [{ title, lines: all }]
      : (operationFirst(series).map(ofEach).find(suit) ?? cut(title, all))
  return parts.map((part) => createPercentilesPicture(part, chart))
}

/** A line, whether its times count from the plan of an open loop, and whether a finding may be about it. */
type TimedLine = { readonly line: Line; readonly isFromPlan: boolean; readonly isCompared: boolean }

type ChartPart = { readonly title: string; readonly lines: readonly TimedLine[] }

/** Splits by operation first, because comparing the latencies of different operations matters least. */
const operationFirst = (series: readonly Dimension[]): readonly Dimension[] =>
  series.toSorted((a, b) => Number(isOperation(b)) - Number(isOperation(a)))

const isOperation = (dimension: Dimension): boolean => 'row' in dimension && dimension.row === 'operation'

/** Whether no chart has too many lines, and some have more than one. */
const suit = (parts: readonly ChartPart[]): boolean =>
  parts.every(({ lines }) => lines.length <= maxLines) && parts.some(({ lines }) => lines.length > 1)

function cut(title: string, lines: readonly TimedLine[]): readonly ChartPart[] {
  const count = Math.ceil(lines.length / maxLines)
  const each = Math.ceil(lines.length / count)
  return Array.from({ length: count }, (_, index) => ({
    title: `${title} (${index + 1} of ${count})`,
    lines: lines.slice(index * each, (index + 1) * each),
  }))
}

function createPercentilesPicture({ title, lines: timed }: ChartPart, { scale }: PercentilesSpec): Picture {
  const origin = determineTimeOrigin(timed)
  const lines = timed.map(({ line }) => line)
  const values = lines.flatMap(({ points }) => points.flatMap(({ y }) => y ?? []))
  const xMax = Math.max(1, computeRange(lines.flatMap(({ points }) => points.map(({ x }) => x))).max)
  return {
    kind: 'line',
    title,
    finding: tailsFinding(comparedLines(lines, timed)),
    x: { kind: 'logarithmic', title: 'Percentile of the successful operations', ticks: ticksUpTo(xMax) },
    y: [{ title: formatTimeTitle(origin), unit: 'ms', scale: scaleFor(values, scale) }],
    lines,
    legend: [
      'Lines: all successful operations of the runs together, up to the last percentile with enough of them',
      originTexts[origin].explanation,
    ]
      .filter((each) => each !== '')
      .join('; '),
  }
}

const formatTimeTitle = (origin: TimeOrigin): string => `${originTexts[origin].name} (ms)`

function createPhaseLines(text: string, rows: readonly Row[], phases: readonly string[]): readonly TimedLine[] {
  return phases.flatMap((phase) => {
    // An operation may have the name of its phase.
    const isNamed = phases.length === 1 || text.split(', ').includes(phase)
    const label = [text, isNamed ? '' : phase].filter((part) => part !== '').join(', ')
    const operations = rows.flatMap((row) => row.runs.flatMap((run) => selectOperations(run, row.target, phase)))
    const points = createPercentilePoints(operations)
    if (points.length === 0) return []
    const isFromPlan = areFromPlan(operations)
    const name = label === '' ? formatTimeTitle(isFromPlan ? 'plan' : 'sending') : label
    const keyOf = label === '' ? 'measure' : 'series'
    const line: Line = { label: name, colourKey: name, keyOf, axis: 0, dots: false, points }
    const place = { kind: 'phase', phase } as const
    return [{ line, isFromPlan, isCompared: rows.every((row) => isCompared(row, { target: place })) }]
  })
}

function ticksUpTo(xMax: number): readonly Tick[] {
  return marks
    .map((percent) => ({ value: toPercentilePosition(percent), label: `${percent} %` }))
    .filter(({ value }) => value <= xMax * 1.01)
}

function createPercentilePoints(operations: readonly Calls[]): readonly Point[] {
  const histogram = mergeHistograms(timesThatCount(operations))
  return histogram === null ? [] : tail(histogram)
}

function selectOperations(run: VariantResult, place: TargetInPhase | null, phase: string): readonly Calls[] {
  if (place !== null && place.phase !== phase) return []
  return createScope(run, place ?? { kind: 'phase', phase })?.operations ?? []
}

/** Points up to the last percentile with enough samples, those of the marks among them. */
function tail(histogram: Histogram): readonly Point[] {
  if (histogram.totalCount < samplesNeeded(0.5)) return []
  const decades = Math.log10(histogram.totalCount / samplesNeeded(0))
  const steps = Math.max(1, Math.ceil(decades * pointsPerDecade))
  const places = Array.from({ length: steps + 1 }, (_, step) => 10 ** ((decades * step) / steps))
  const marked = marks.map(toPercentilePosition).filter((place) => place < 10 ** decades)
  return [...new Set([...places, ...marked])]
    .toSorted((one, other) => one - other)
    .map((x) => ({ x, y: histogram.getValueAtPercentile(100 * (1 - 1 / x)) / 1000, range: null }))
}

/** Converts a percentile to its position on the x axis. The digits of a quotient of decimals do not count. */
const toPercentilePosition = (percent: number): number => Number((100 / (100 - percent)).toPrecision(9))
