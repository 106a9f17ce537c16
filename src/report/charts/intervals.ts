import { type ChartDataset } from 'chart.js'
import {
  type ComparedFigure,
  isBetter,
  isSame,
  isUnclear,
  isWorse,
  type ResultComparison,
  type Rounds,
} from '../comparison/comparison.ts'
import { ratioText, readableNumber } from '../../metrics/format.ts'
import { type BarMark, type ChartPoint, type Drawing } from './drawing.ts'
import { faint, font, gridColour, ink, roomForCaption } from './look.ts'
import { type Tick } from './picture.ts'
import { logTicks } from './scales.ts'
import { wrap } from './wrap.ts'

const maxShown = 40
const widestRatio = 50
const labelCharacters = 46
const bandColour = 'rgba(31, 35, 40, 0.1)'

/** A figure with an interval. */
type Shown = ComparedFigure & { readonly interval: NonNullable<ComparedFigure['interval']> }

type Group = { readonly label: string; readonly colour: string; readonly holds: (figure: ComparedFigure) => boolean }

/** Colours of the palette for colour-blind readers. */
const groups: readonly Group[] = [
  { label: 'B is worse', colour: '#d55e00', holds: isWorse },
  { label: 'B is better', colour: '#0072b2', holds: isBetter },
  { label: 'the same', colour: '#009e73', holds: isSame },
  { label: 'cannot tell', colour: '#4d4d4d', holds: isUnclear },
]

/** A chart of the ratios B / A: points with their intervals, beside a line at 1 and a band of the smallest effect. Null: there is no interval. */
export function intervalsChart({ figures, smallestEffect, rounds }: ResultComparison): Drawing | null {
  const known = figures.flatMap(({ interval, ...figure }): readonly Shown[] =>
    interval === null ? [] : [{ ...figure, interval }],
  )
  if (known.length === 0) return null
  const shown = known.slice(0, maxShown)
  const band = [1 / (1 + smallestEffect), 1 + smallestEffect] as const
  const ticks = ticksFor([...band, ...shown.flatMap(({ interval: { low, high } }) => [low, high])].map(withinWidest))
  const used = groups.filter(({ holds }) => shown.some(holds))
  const labels = shown.map((figure) => wrap(labelOf(figure, shown), labelCharacters))
  return {
    width: 1000,
    height: 210 + labels.reduce((total, lines) => total + 14 + 18 * lines.length, 0),
    chart: {
      type: 'bar',
      data: { labels, datasets: [...used.map((group) => pointsOf(group, shown)), bandOf(band, smallestEffect, shown)] },
      options: {
        responsive: false,
        animation: false,
        devicePixelRatio: 2,
        locale: 'en-US',
        indexAxis: 'y',
        font: font(14),
        color: ink,
        layout: { padding: { top: 16, right: 76, bottom: roomForCaption, left: 16 } },
        scales: { x: ratioAxis(ticks), y: namesAxis },
        plugins: {
          legend: {
            position: 'top',
            align: 'start',
            labels: { usePointStyle: true, boxHeight: 9, padding: 16, color: ink, font: font(14) },
          },
          title: { ...heading(20, 600, 2), color: ink, text: 'B against A' },
          subtitle: { ...heading(14, 'normal', 12), color: faint, text: 'Ratios with their intervals of 95 %' },
          tooltip: { enabled: false },
        },
      },
    },
    caption: captionOf(shown.length, known.length, rounds),
    ticks: { x: ticks },
    marks: used.flatMap((group, dataset) => marksOf(group, dataset, shown)),
    dotted: used.map((_, dataset) => dataset),
    overlay: null,
  }
}

function captionOf(shown: number, known: number, rounds: ResultComparison['rounds']): string {
  const left = shown < known ? [`the first ${shown} of ${known}`] : []
  return [...left, ...rounds.map((kind) => roundsTexts[kind])].join(' · ')
}

const roundsTexts: Readonly<Record<Rounds, string>> = {
  unpaired: 'A and B were measured apart',
  paired: 'A and B ran in turn, in paired rounds',
  sequential: 'A and B ran in turn, in paired rounds, until it was clear or the budget was spent',
}

/** Names of specs only where there are several. */
function labelOf({ spec, row, title }: ComparedFigure, all: readonly Shown[]): string {
  const hasSpecs = all.some((other) => other.spec !== spec)
  return [hasSpecs ? spec : '', row, title].filter((text) => text !== '').join(' · ')
}

type Dataset = ChartDataset<'bar' | 'line', (ChartPoint | number | [number, number] | null)[]>

function pointsOf({ label, colour, holds }: Group, shown: readonly Shown[]): Dataset {
  return {
    type: 'bar',
    label,
    data: shown.map((figure) => (holds(figure) ? withinWidest(figure.interval.ratio) : null)),
    backgroundColor: colour,
    borderColor: colour,
    pointStyle: 'circle',
    grouped: false,
  }
}

/** Bars from end to end that touch each other. */
function bandOf([from, to]: readonly [number, number], effect: number, shown: readonly Shown[]): Dataset {
  return {
    type: 'bar',
    label: `differs by at most ${readableNumber(effect * 100)} %`,
    data: shown.map(() => [from, to]),
    backgroundColor: bandColour,
    borderColor: bandColour,
    pointStyle: 'rect',
    grouped: false,
    inflateAmount: 0,
    barPercentage: 1,
    categoryPercentage: 1,
  }
}

const marksOf = ({ holds }: Group, dataset: number, shown: readonly Shown[]): readonly BarMark[] =>
  shown.flatMap((figure, index) => {
    const { low, high, ratio } = figure.interval
    const range = [withinWidest(low), withinWidest(high)] as const
    return holds(figure) ? [{ dataset, index, range, text: ratioText(ratio) }] : []
  })

const withinWidest = (ratio: number): number => Math.min(widestRatio, Math.max(1 / widestRatio, ratio))

const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5] as const
const maxTicks = 8

/** Steps of the same size around 1, and those of other logarithmic axes for a wide range. One of them is 1. */
function ticksFor(ratios: readonly number[]): readonly Tick[] {
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)]
  const step = steps.find((one) => (high - low) / one <= maxTicks)
  const first = Math.floor(low / (step ?? 1))
  if (step === undefined || first === 0) return logTicks(ratios)
  const count = Math.ceil(high / step) - first + 1
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toFixed(2))).map((value) => ({
    value,
    label: String(value),
  }))
}

type Axes = NonNullable<NonNullable<Drawing['chart']['options']>['scales']>

const isOne = ({ value }: Tick): boolean => value === 1

function ratioAxis(ticks: readonly Tick[]): Axes[string] {
  return {
    type: 'logarithmic',
    position: 'bottom',
    title: { display: true, text: 'B / A, log scale', color: faint, font: font(14, 600), padding: 8 },
    grid: {
      color: ticks.map((tick) => (isOne(tick) ? ink : gridColour)),
      lineWidth: ticks.map((tick) => (isOne(tick) ? 1.5 : 1)),
      tickColor: gridColour,
    },
    border: { display: false },
    ticks: { color: ink, font: font(14), autoSkip: false },
    min: ticks[0]?.value,
    max: ticks.at(-1)?.value,
  }
}

const namesAxis: Axes[string] = {
  type: 'category',
  grid: { display: false },
  border: { color: '#9aa4ae' },
  ticks: { color: ink, font: font(14), autoSkip: false },
}

function heading(size: number, weight: 'normal' | 600, bottom: number): object {
  return { display: true, align: 'start', font: font(size, weight), padding: { top: 0, bottom } }
}
