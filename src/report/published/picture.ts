import { rangeOfRuns } from '../../metrics/format.ts'
import { judgeFigure } from '../../metrics/trust/judge.ts'
import { neutralStyle } from '../charts/drawing/palette.ts'
import { markTrust, trustTexts, whiskersText } from '../charts/explanation.ts'
import { titledLabel, writeConstants } from '../charts/labels.ts'
import { type Line, type Picture, type Point } from '../charts/picture.ts'
import { logRange, logTicks } from '../charts/scales.ts'
import { type ComparedRow, type Comparison, type PublishedMetric, isNear, nearFactor } from './compare.ts'
import { comparisonTitle, type RowName } from './table.ts'

type Shown = ComparedRow & { readonly measuredRatio: number; readonly publishedRatio: number }

const isShown = (row: ComparedRow): row is Shown => isPositive(row.measuredRatio) && isPositive(row.publishedRatio)

/** Logarithms need values above 0. */
const isPositive = (ratio: number | null): boolean => ratio !== null && ratio > 0

/** Measured against published ratios, with the line on which they are equal and a band of those that are near. */
export function comparisonPicture({ rows, base, address, ratios }: Comparison, names: readonly RowName[]): Picture {
  const shown = rows.filter(isShown)
  const texts = writeConstants(shown.map((compared) => formatRowLabel(compared, distinguishing(names, shown))))
  const labels = new Map(shown.map((compared, index) => [compared, texts[index] ?? '']))
  const pointOf = (compared: Shown): Point => ({
    x: compared.publishedRatio,
    y: compared.measuredRatio,
    range: computeWhisker(compared, base?.measured ?? null),
    name: labels.get(compared) ?? '',
    ...markTrust(judgeFigure(compared.row, address)),
  })
  const groups = [
    { label: 'within 25 %', style: 0, holds: ({ factor }: Shown) => factor !== null && isNear(factor) },
    { label: 'further off', style: 1, holds: ({ factor }: Shown) => factor !== null && !isNear(factor) },
    { label: 'base row', style: neutralStyle, holds: ({ factor }: Shown) => factor === null },
  ].map(({ label, style, holds }) => createPublishedLine(label, style, shown.filter(holds).map(pointOf)))
  const points = groups.flatMap((line) => line.points)
  const range = aroundAll(
    points.length === 0 ? [1] : points.flatMap(({ x, y, range: ends }) => [x, y ?? x, ...(ends ?? [])]),
  )
  const whiskers = whiskersText(shown.map(({ measured }) => rangeOfRuns(measured?.runs ?? [])))
  return {
    kind: 'points',
    title: comparisonTitle,
    finding: `${ratios.near} of ${ratios.of} ratios are within 25 %`,
    x: { kind: 'logarithmic', title: 'Published ratio to the base row, log scale', ticks: logTicks(range), range },
    y: [{ title: 'Measured ratio to the base row', unit: '', scale: 'logarithmic', range }],
    lines: groups.filter((line) => line.points.length > 0),
    guide: { kind: 'equality', band: [1 / nearFactor, nearFactor] },
    order: [...labels.values()],
    legend: [
      'Points: rows, as numbered',
      whiskers,
      'line: measured equals published; band: within 25 %',
      ...trustTexts(points, true),
    ]
      .filter((text) => text !== '')
      .join('; '),
  }
}

/** Numbers stand beside the outermost points too. */
const roomForNumbers = 1.08

function aroundAll(values: readonly number[]): readonly [number, number] {
  const [from, to] = logRange(values)
  return [from / roomForNumbers, to * roomForNumbers]
}

const createPublishedLine = (label: string, style: number, points: readonly Point[]): Line => {
  return { label, style, colourKey: label, keyOf: 'series', axis: 0, dots: true, points }
}

/** The 95 % interval of the ratio, else the range of the runs, divided by the figure of the base row, whose own ratio is 1. */
function computeWhisker({ interval, measured, factor }: Shown, base: PublishedMetric | null): Point['range'] {
  if (factor === null) return null
  if (interval !== null) return [interval.low, interval.high]
  const range = rangeOfRuns(measured?.runs ?? [])
  return range === null || base === null || base.value === 0 ? null : [range.low / base.value, range.high / base.value]
}

/** The first names that distinguish all rows, without the published ones that only repeat them. */
function distinguishing(names: readonly RowName[], rows: readonly Shown[]): readonly RowName[] {
  const count = names.findIndex((_, index) => {
    const labels = rows.map((row) => formatRowLabel(row, names.slice(0, index + 1)))
    return new Set(labels).size === rows.length
  })
  return count < 0 ? names : names.slice(0, count + 1)
}

const formatRowLabel = ({ row }: ComparedRow, names: readonly RowName[]): string =>
  names.map((name) => titledLabel(row, name, name.title)).join(', ')
