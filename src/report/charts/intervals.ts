import { ratioText, readableNumber } from '../../metrics/format.ts'
import {
  type ComparedFigure,
  isBetter,
  isSame,
  isUnclear,
  isWorse,
  type ResultComparison,
  type Rounds,
} from '../comparison/comparison.ts'
import { stylesFor } from './drawing/palette.ts'
import { type Line, type Picture } from './picture.ts'
import { createChart, type ReportChart } from './report-chart.ts'
import { logRange } from './scales.ts'

const maxShown = 40
const widestRatio = 50

type Shown = ComparedFigure & { readonly interval: NonNullable<ComparedFigure['interval']> }

type Group = { readonly label: string; readonly style: number; readonly holds: (figure: ComparedFigure) => boolean }

const groups: readonly Group[] = [
  { label: 'B is worse', style: 1, holds: isWorse },
  { label: 'B is better', style: 0, holds: isBetter },
  { label: 'the same', style: 2, holds: isSame },
  { label: 'cannot tell', style: 6, holds: isUnclear },
]

/** A chart of the ratios B / A: points with their intervals, beside a line at 1 and a band of the smallest effect. Null: there is no interval. */
export function intervalsChart({ figures, smallestEffect, rounds }: ResultComparison): ReportChart | null {
  const known = figures.flatMap(({ interval, ...figure }): readonly Shown[] =>
    interval === null ? [] : [{ ...figure, interval }],
  )
  if (known.length === 0) return null
  const shown = known.slice(0, maxShown)
  const used = groups.filter(({ holds }) => shown.some(holds))
  const picture = createIntervalsPicture(used, shown, smallestEffect)
  return createChart(picture, stylesFor([picture.lines]), {
    file: 'comparison.png',
    title: `B against A: ${used.map(({ label, holds }) => `${shown.filter(holds).length} ${shortenLabel(label)}`).join(', ')}`,
    subtitle: picture.legend ?? '',
    caption: formatIntervalsCaption(shown.length, known.length, rounds),
  })
}

/** "3 worse, 1 better" */
const shortenLabel = (label: string): string => label.replace('B is ', '')

function createIntervalsPicture(used: readonly Group[], shown: readonly Shown[], smallestEffect: number): Picture {
  const band = [1 / (1 + smallestEffect), 1 + smallestEffect] as const
  const ends = shown.flatMap(({ interval: { low, high } }) => [low, high])
  return {
    kind: 'bar',
    title: 'B against A',
    x: { kind: 'category', title: '', labels: shown.map((figure) => formatFigureLabel(figure, shown)) },
    y: [{ title: 'B / A', unit: '', scale: 'logarithmic', range: logRange([...band, ...ends].map(withinWidest)) }],
    lines: used.map((group) => createGroupLine(group, shown)),
    guide: { kind: 'level', band },
    legend: `Points: ratios of geometric means; whiskers: intervals of 95 %; band: differs by at most ${readableNumber(smallestEffect * 100)} %`,
  }
}

function formatIntervalsCaption(shown: number, known: number, rounds: ResultComparison['rounds']): string {
  const left = shown < known ? [`the first ${shown} of ${known}`] : []
  return [...left, ...rounds.map((kind) => roundsTexts[kind])].join(' · ')
}

const roundsTexts: Readonly<Record<Rounds, string>> = {
  unpaired: 'A and B were measured apart',
  paired: 'A and B ran in turn, in paired rounds',
  sequential: 'A and B ran in turn, in paired rounds, until it was clear or the budget was spent',
  turns: 'A and B took turns, on several fresh starts',
  'sequential turns': 'A and B took turns, on several fresh starts, until it was clear',
  'budgeted turns': 'A and B took turns, on several fresh starts, until the budget was spent',
}

/** Names of specs only where there are several. */
function formatFigureLabel({ spec, row, title }: ComparedFigure, all: readonly Shown[]): string {
  const hasSpecs = all.some((other) => other.spec !== spec)
  return [hasSpecs ? spec : '', row, title].filter((text) => text !== '').join(' · ')
}

function createGroupLine({ label, style, holds }: Group, shown: readonly Shown[]): Line {
  const points = shown.flatMap((figure, x) => {
    if (!holds(figure)) return []
    const { low, high, ratio } = figure.interval
    const range = [withinWidest(low), withinWidest(high)] as const
    return [{ x, y: withinWidest(ratio), range, mark: ratioText(ratio) }]
  })
  return { label, style, colourKey: label, keyOf: 'series', axis: 0, dots: true, points }
}

const withinWidest = (ratio: number): number => Math.min(widestRatio, Math.max(1 / widestRatio, ratio))
