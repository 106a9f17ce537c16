import { readableNumber } from '../../metrics/format.ts'
import { median, computeRange } from '../../metrics/statistics.ts'
import { type Line, type Picture, type Point } from './picture.ts'
import { barNumber } from './scales.ts'

/** The title of a chart with the figure that matters. */
export const formatHeadline = ({ title, finding = '' }: Picture): string =>
  finding === '' ? title : `${title}: ${finding}`

/** A known point, and what it stands for. */
type Named = Pick<Point, 'range' | 'mark' | 'trust'> & { readonly y: number; readonly name: string }

/**
 * How far the extremes of rows lie apart: "5.6 times as much at 1,000 as at 1". No claim where their whiskers overlap, and no
 * ratio where nothing was repeated, or where the lower figure is a lower bound. Of several measures the highest figure: "up to
 * 2,310 ms (kill, Longest Gap)". Points that do not compare are left out.
 */
export function extremesFinding({
  x,
  y,
  lines,
  measures = [],
}: Pick<Picture, 'x' | 'y' | 'lines' | 'measures'>): string {
  const main = lines.filter(({ axis }) => axis === 0)
  const at = x.kind === 'category' ? 'for' : 'at'
  const unit = formatUnit(y)
  const points = main.flatMap((line) => namedPoints(line, x, main.length > 1))
  const best = points.filter(({ mark }) => mark === 'best')
  if (best.length > 0)
    return best.map(({ name, y: value }) => `best ${at} ${name} with ${barNumber(value)}${unit}`).join('; ')
  const sorted = points.toSorted((one, other) => one.y - other.y)
  const [low, high] = [sorted[0], sorted.at(-1)]
  if (low === undefined || high === undefined || low === high) return ''
  // Extremes of different measures do not compare.
  if (measures.length !== lines.length / main.length)
    return `up to ${barNumber(high.y)}${unit} (${withoutUnit(high.name, y)})`
  const areRepeated = low.range !== null && high.range !== null
  if (areRepeated && low.range[1] >= high.range[0]) return 'no clear difference'
  if (!areRepeated || low.y <= 0 || low.trust !== undefined) {
    return `from ${barNumber(low.y)}${unit} (${low.name}) to ${barNumber(high.y)}${unit} (${high.name})`
  }
  const [first, second] = points.indexOf(low) < points.indexOf(high) ? [low, high] : [high, low]
  const limit = high.trust === 'lower bound' ? (second === high ? 'at least ' : 'at most ') : ''
  return `${limit}${readableNumber(second.y / first.y)} times as much ${at} ${second.name} as ${at} ${first.name}`
}

function namedPoints({ colourKey, points }: Line, x: Picture['x'], withLabel: boolean): readonly Named[] {
  return points.flatMap(({ x: place, y, ...point }) => {
    const name = x.kind === 'category' ? (x.labels[place] ?? '') : barNumber(place)
    const named = withLabel ? `${name}, ${colourKey}` : name
    return y === null || point.trust === 'do not compare' ? [] : [{ ...point, y, name: named }]
  })
}

/** More medians would be a table. */
const maxMedians = 3

const formatUnit = ([axis]: Picture['y']): string => (axis === undefined || axis.unit === '' ? '' : ` ${axis.unit}`)

/** Titles of measures end with their unit. */
const withoutUnit = (label: string, [axis]: Picture['y']): string => label.replace(` (${axis?.unit})`, '')

/** The medians of courses on the first axis: "median 4870 ops/s, from 3312 to 5931". */
export function coursesFinding({ y, lines }: Pick<Picture, 'y' | 'lines'>): string {
  const main = lines.filter(({ axis }) => axis === 0)
  const known = main
    .map(({ label, points }) => ({ label, values: points.flatMap((point) => point.y ?? []) }))
    .filter(({ values }) => values.length > 0)
  const [only] = known
  if (only === undefined || known.length > maxMedians) return ''
  const medianOf = (values: readonly number[]): string => `${barNumber(median(values) ?? 0)}${formatUnit(y)}`
  if (main.length > 1)
    return `${known.length > 1 ? 'medians' : 'median'} ${known.map(({ label, values }) => `${medianOf(values)} (${withoutUnit(label, y)})`).join(', ')}`
  const { min, max } = computeRange(only.values)
  return `median ${medianOf(only.values)}, from ${barNumber(min)} to ${barNumber(max)}`
}

/** The tails of distributions whose x is 1 / (1 - share): "p50 0.41 ms, p99 2.1 ms", or the range of p99 of several. */
export function tailsFinding(lines: readonly Line[]): string {
  const tails = lines
    .flatMap((line) => {
      const p99 = valueAt(line, 100)
      return p99 === null ? [] : [{ line, p99 }]
    })
    .toSorted((one, other) => one.p99 - other.p99)
  const [first, last] = [tails[0], tails.at(-1)]
  if (first === undefined || last === undefined || tails.length < lines.length) return ''
  if (first === last) return `p50 ${barNumber(valueAt(first.line, 2) ?? 0)} ms, p99 ${barNumber(first.p99)} ms`
  return `p99 from ${barNumber(first.p99)} ms (${first.line.label}) to ${barNumber(last.p99)} ms (${last.line.label})`
}

/** The value at a place, from the first point there or beyond. Null: the line ends before. */
const valueAt = ({ points }: Line, at: number): number | null => points.find(({ x }) => x >= at)?.y ?? null
