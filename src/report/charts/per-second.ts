import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json } from '../../core/json.ts'
import { createAddress } from '../../metrics/address.ts'
import { type Series } from '../../metrics/columns/column.ts'
import { getColumn } from '../../metrics/columns/index.ts'
import { lengthOfSecond } from '../../metrics/columns/per-second.ts'
import { throughputColumns } from '../../metrics/columns/throughput.ts'
import { type Evaluation } from '../../metrics/evaluate.ts'
import { hasEnoughSamples } from '../../metrics/latency.ts'
import { type Dimension, type LineSpec, type FullReportSpec } from '../../metrics/report-schema.ts'
import { type Row, listScopes } from '../../metrics/rows/rows.ts'
import { chartRows } from '../../metrics/shown-metrics.ts'
import { groupBy, isNumber, computeRange, sum } from '../../metrics/statistics.ts'
import { type VariantResult } from '../../results/schema.ts'
import { readChart, seriesText } from './dimensions.ts'
import { neutralStyle } from './drawing/palette.ts'
import { comparedLines, isCompared } from './explanation.ts'
import { type DrawnPhase, faultsOver, gapsFinding } from './faults.ts'
import { coursesFinding } from './headline.ts'
import { type Line, type Picture } from './picture.ts'
import { createMeasureLine, type Measured, resolveMeasures, measuredTitle, yAxes } from './y-axes.ts'

/** Nothing is drawn in it, and only its end is of interest. */
const maxShareOfWarmup = 0.05

/** A line chart over the seconds of a window: two units are one above the other. */
export function perSecondPicture(evaluation: Evaluation, chart: LineSpec): Picture {
  const wanted = chartRows(chart)
  const drawn = resolveMeasures(chart.y, evaluation, wanted).map((one, index) => {
    const asked = draw(evaluation, chart, wanted, one)
    // Percentiles of several operations cannot be combined.
    if (asked.courses.length > 0) return asked
    return draw(evaluation, chart, 'operations', resolveMeasures(chart.y, evaluation, 'operations')[index] ?? one)
  })
  const measured = drawn.map(({ one }) => one)
  const courses = drawn.flatMap((each) => each.courses)
  const phases = [...new Map(drawn.flatMap((each) => each.phases.map((of) => [of.phase, of]))).values()]
  const end = findLastSecond(courses, phases)
  const areApart = new Set(courses.map(({ text }) => text === '')).size > 1
  const lineOf = ({ one, text, points }: Course): Line => ({
    ...createMeasureLine(one, measured, text, {
      dots: false,
      points: thinOut(points, end).map(({ x, y }) => ({ x, y, range: null })),
    }),
    ...(areApart && text === '' && { style: neutralStyle }),
    ...(isUnsent(one) && { isArea: true }),
  })
  const drawnLines = courses.map(lineOf)
  const unsent = measured.some(isUnsent) ? [] : drawUnsent(evaluation, chart, drawn)
  const lines = [...mergeEqualLines(drawnLines, courses), ...unsent.map(lineOf)]
  const { remark = '', ...faults } = faultsOver(phases)
  const y = yAxes(measured, lines, chart.scale)
  const warmup = warmupSeconds(evaluation, phases)
  return {
    kind: 'line',
    title: chart.title ?? `${measuredTitle(measured)} over time`,
    finding:
      (isOfThroughput(measured) && gapsFinding(phases.filter(isComparedPhase))) ||
      coursesFinding({ y, lines: comparedLines(drawnLines, courses) }),
    x: {
      kind: 'linear',
      title: 'Time (s)',
      ticks: null,
      end,
      ...(warmup > 0 && { from: -Math.min(warmup, end * maxShareOfWarmup) }),
    },
    y,
    ...(y.length > 1 && { second: 'below' as const }),
    lines,
    ...faults,
    ...(warmup > 0 && { warmup }),
    legend: `Lines: the seconds of ${runsText(drawn.flatMap(({ rows }) => rows))}${lines.some(({ isArea }) => isArea) ? '; area: operations that were due and never sent' : ''}`,
    remark: [thinnedRemark(courses), remark].filter((part) => part !== '').join(' · '),
  }
}

const isUnsent = ({ address }: Measured): boolean => address.metric === unsentMetric
const unsentMetric = 'droppedPerSecond'

/** Lists what was due and never sent in the phases of an open loop whose throughput is drawn. Empty where all was sent. */
function drawUnsent(evaluation: Evaluation, chart: LineSpec, drawn: readonly Drawn[]): readonly Course[] {
  const throughputs = drawn.filter(({ one }) => one.address.column.unit === getColumn(unsentMetric).unit)
  const phases = new Map(
    throughputs.flatMap(({ one, phases: of }) => of.map(({ phase }) => [phase.name, one] as const)),
  )
  const kind = chartRows(chart) === 'operations' ? 'variants' : chartRows(chart)
  const series = chart.series?.filter((dimension) => 'parameter' in dimension)
  return [...phases].flatMap(([phase, one]) => {
    const title = phases.size > 1 ? `${phase}: ${unsentTitle}` : unsentTitle
    const address = createAddress(unsentMetric, { kind: 'phase', phase })
    const { courses } = draw(evaluation, { ...chart, series }, kind, { ...one, title, address })
    return courses.filter(({ points }) => points.some(({ y }) => (y ?? 0) > 0))
  })
}

const unsentTitle = 'Due, not sent (ops/s)'

/** Measures of a row whose lines lie on each other, as p99 and maximum of few calls do, are one line with both names. */
function mergeEqualLines(lines: readonly Line[], courses: readonly Course[]): readonly Line[] {
  const merged = new Map<Course, Line>()
  for (const [index, course] of courses.entries()) {
    const line = lines[index]
    if (line === undefined) continue
    const twin = [...merged].find(
      ([of, other]) =>
        of.text === course.text &&
        of.one !== course.one &&
        isDeepStrictEqual(of.one.address.target, course.one.address.target) &&
        other.axis === line.axis &&
        other.isArea === line.isArea &&
        areEqual(other.points, line.points),
    )
    if (twin === undefined) merged.set(course, line)
    else merged.set(twin[0], { ...twin[1], label: `${twin[1].label} = ${line.label}` })
  }
  return [...merged.values()]
}

/** Lines that are closer than this look like one. */
const visibleShare = 0.005

const areEqual = (one: Line['points'], other: Line['points']): boolean =>
  one.length === other.length &&
  one.some(({ y }) => y !== null) &&
  one.every(({ y }, index) => {
    const of = other[index]?.y ?? null
    return y === null || of === null ? y === of : Math.abs(y - of) <= visibleShare * Math.abs(of)
  })

const isComparedPhase = ({ row, phase }: DrawnPhase): boolean =>
  isCompared(row, { target: { kind: 'phase', phase: phase.name } })

/** Gaps are seconds without throughput; they say nothing of other measures. */
const isOfThroughput = ([first]: readonly Measured[]): boolean => first?.address.column.better === 'higher'

function runsText(rows: readonly Row[]): string {
  const runs = computeRange(rows.map((row) => row.runs.length)).max
  return runs > 1 ? `the run with the median throughput, of ${runs}` : 'one run'
}

type Drawn = {
  readonly one: Measured
  readonly rows: readonly Row[]
  readonly courses: readonly Course[]
  readonly phases: readonly DrawnPhase[]
}

function draw(evaluation: Evaluation, chart: LineSpec, kind: ReturnType<typeof chartRows>, one: Measured): Drawn {
  const { spec } = evaluation
  const { rows, series } = readChart(evaluation, chart, { kind })
  const typical = rows.map(typicalRun)
  const groups = groupBy(typical, (row) => seriesText(spec, row, series))
  const courses = [...groups].flatMap(([text, members]) =>
    members.flatMap((row) => createPerSecondCourses(row, one, text)),
  )
  return { one, rows, courses, phases: courses.length === 0 ? [] : drawnPhases(typical, one, spec, series) }
}

/** The drawn phases, each once. The label is that of the row, because operations share a phase. */
function drawnPhases(
  rows: readonly Row[],
  { address }: Measured,
  spec: FullReportSpec,
  series: readonly Dimension[],
): readonly DrawnPhase[] {
  const ofRows = series.filter((dimension) => 'parameter' in dimension)
  const phases = new Map(
    rows.flatMap((row) =>
      listScopes(row, address).map(({ phase }) => [phase, { row, name: seriesText(spec, row, ofRows) }] as const),
    ),
  )
  return [...phases].map(([phase, { row, name }]) => ({ phase, row, name }))
}

type Course = {
  readonly one: Measured
  readonly text: string
  readonly points: readonly Sample[]
  readonly isCompared: boolean
}

function createPerSecondCourses(row: Row, one: Measured, text: string): readonly Course[] {
  const { column } = one.address
  const [scope] = listScopes(row, one.address)
  const series = scope === undefined || !('perSecond' in column) ? null : column.perSecond?.(scope)
  // A window without enough samples for a percentile has no second with enough.
  return scope === undefined || !series || !hasEnoughSamples(column, [scope])
    ? []
    : [{ one, text, points: placeSamples(series, scope.phase.wallSeconds), isCompared: isCompared(row, one.address) }]
}

/** Places each value in the middle of its second. */
function placeSamples(series: Series, wallSeconds: number): readonly Sample[] {
  return series.map((y, second) => {
    const length = lengthOfSecond(second, series, wallSeconds)
    return { x: Number((second + length / 2).toFixed(3)), y: length === 0 ? null : y }
  })
}

/** The end of the longest window, or the last second of a stream that lags behind it. */
function findLastSecond(courses: readonly Course[], phases: readonly DrawnPhase[]): number {
  const seconds = courses.flatMap(({ points }) => points.flatMap(({ x, y }) => (y === null ? [] : [Math.round(x)])))
  return computeRange([...phases.map(({ phase }) => phase.wallSeconds), ...seconds]).max
}

const thinnedRemark = (courses: readonly Course[]): string =>
  courses.some(({ points }) => isThinned(points)) ? `Lowest and highest second of each of ${pixelColumns} columns` : ''

/** Seconds of warm-up before the windows of some phases, by the spec; 0 if there was none, or if they differ. */
function warmupSeconds({ result, value }: Evaluation, drawn: readonly DrawnPhase[]): number {
  const lengths = drawn.map(({ phase, row }) => {
    const seconds = findWarmup(result.spec.effective, phase.name)
    const known = seconds === undefined ? 0 : value(seconds, row)
    return isNumber(known) ? known : 0
  })
  const [first = 0, ...others] = lengths
  return others.every((length) => length === first) ? first : 0
}

/** The length of the warm-up of a phase, as the spec has it. */
function findWarmup(effective: Json, name: string): Json | undefined {
  const phases = isObject(effective) ? effective['phases'] : undefined
  if (!Array.isArray(phases)) return undefined
  const phase = (phases as readonly Json[]).filter(isObject).find((one) => one['name'] === name)
  const warmup = phase?.['warmup']
  return warmup !== undefined && isObject(warmup) ? warmup['seconds'] : undefined
}

/** The row with its median run by throughput, because time lines of different runs cannot be combined. */
export function typicalRun(row: Row): Row {
  const byThroughput = row.runs.toSorted((a, b) => throughput(a) - throughput(b))
  const run = byThroughput[Math.floor((byThroughput.length - 1) / 2)]
  return run === undefined ? row : { ...row, runs: [run] }
}

function throughput(variant: VariantResult): number {
  return sum(
    variant.phases.map((phase) => {
      const { operations, streams } = phase
      return throughputColumns.opsPerSecond.value({ variant, phase, operations, streams }) ?? 0
    }),
  )
}

/** Width of a plot in logical pixels. */
export const pixelColumns = 900

/** A point before thinning; y is null in a gap. */
type Sample = { readonly x: number; readonly y: number | null }

/** Whether there are more points than are drawn. */
export const isThinned = ({ length }: ArrayLike<unknown>): boolean => length > 2 * pixelColumns

/**
 * Reduces points without changing the line: it keeps the lowest and the highest point of each column of pixels, in order.
 * A column without a value is a gap. A small number of points stays unchanged.
 * @param length End of the x axis, which begins at 0.
 */
export function thinOut(points: readonly Sample[], length: number): readonly Sample[] {
  if (!isThinned(points)) return points
  const columns: { lowest: Sample; highest: Sample }[] = []
  for (const point of points) {
    const index = Math.floor((point.x / length) * pixelColumns)
    const column = columns[index]
    if (column === undefined || column.lowest.y === null) columns[index] = { lowest: point, highest: point }
    else if (isBelow(point, column.lowest)) column.lowest = point
    else if (isBelow(column.highest, point)) column.highest = point
  }
  return columns.flatMap(({ lowest, highest }) => {
    if (lowest === highest) return [lowest]
    return lowest.x < highest.x ? [lowest, highest] : [highest, lowest]
  })
}

const isBelow = (one: Sample, other: Sample): boolean => one.y !== null && other.y !== null && one.y < other.y
