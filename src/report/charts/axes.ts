import { type ChartOptions } from 'chart.js'
import { rangeOf } from '../../metrics/statistics.ts'
import { faint, font, gridColour, ink } from './look.ts'
import { type Line, type Picture, type Tick, valuesOn, type XAxis, type YAxis } from './picture.ts'
import { logTicks } from './scales.ts'
import { wrap } from './wrap.ts'

type Axes = NonNullable<ChartOptions<'bar' | 'line'>['scales']>

/** Axes by name: x, y, and y2 for a second unit. Horizontal bars have their values on x. */
export function axesOf(picture: Picture, horizontal: boolean): Axes {
  const [left, right] = picture.y
  const [names, values] = horizontal ? (['y', 'x'] as const) : (['x', 'y'] as const)
  return {
    [names]: namesAxis(picture, horizontal),
    ...(left === undefined ? {} : { [values]: valuesAxis(picture, left, 0, horizontal ? 'bottom' : 'left') }),
    ...(right === undefined ? {} : { y2: valuesAxis(picture, right, 1, 'right') }),
  }
}

function namesAxis({ kind, x, lines }: Picture, horizontal: boolean): Axes[string] {
  return {
    type: x.kind,
    title: titleOf(x.title, horizontal),
    grid: { display: kind === 'line' && x.kind !== 'category', color: gridColour, tickColor: gridColour },
    border: { color: '#9aa4ae' },
    ticks: {
      color: ink,
      font: font(14),
      maxRotation: horizontal || x.kind !== 'category' ? 0 : 40,
      autoSkip: x.kind !== 'category',
      ...(x.kind === 'linear' ? { includeBounds: false, precision: 0 } : {}),
    },
    ...(x.kind === 'category' ? { offset: true } : xRange(x, lines)),
  }
}

/** Named points fill the axis; a time line begins at 0. */
function xRange(x: Extract<XAxis, { ticks: unknown }>, lines: readonly Line[]): { min: number; max: number } {
  if (x.ticks === null) return { min: 0, max: x.end }
  return rangeOf(lines.flatMap(({ points }) => points.flatMap(({ x: at, y }) => (y === null ? [] : [at]))))
}

function valuesAxis(picture: Picture, axis: YAxis, index: number, position: 'left' | 'right' | 'bottom'): Axes[string] {
  const ends =
    axis.scale === 'logarithmic'
      ? rangeOf(ticksOn(picture, index).map(({ value }) => value))
      : { beginAtZero: axis.isCloseUp !== true, grace: '6%', ...roomForRanges(picture, index) }
  return {
    type: axis.scale,
    position,
    title: titleOf(axis.scale === 'logarithmic' ? `${axis.title}, log scale` : axis.title, position !== 'bottom'),
    grid: { color: gridColour, tickColor: gridColour, drawOnChartArea: index === 0 },
    border: { display: false },
    ticks: { color: ink, font: font(14), maxTicksLimit: 8, autoSkip: axis.scale === 'linear' },
    ...ends,
  }
}

const ticksOn = (picture: Picture, axis: number): readonly Tick[] =>
  logTicks(picture.y[axis]?.range ?? valuesOn(picture, axis))

/** Chart.js scales by the values alone: the maximum of the repeats must be inside the plot. */
function roomForRanges(
  { lines, y }: Picture,
  axis: number,
): { readonly suggestedMin?: number; readonly suggestedMax?: number } {
  const ends = lines
    .filter((line) => line.axis === axis)
    .flatMap(({ points }) => points.flatMap(({ range }) => range ?? []))
  if (ends.length === 0) return {}
  const { min, max } = rangeOf(ends)
  return { ...(y[axis]?.isCloseUp && { suggestedMin: min }), suggestedMax: max * 1.03 }
}

/** Characters of a vertical title that fit a short axis. */
const verticalCharacters = 36

function titleOf(text: string, isVertical: boolean): object {
  const lines = isVertical ? wrap(text, verticalCharacters) : text
  return { display: text !== '', text: lines, color: faint, font: font(14, 600), padding: 8 }
}

/** Ticks that Chart.js must not choose: named points of the x axis, and round steps of logarithmic axes. */
export function ticksOf(picture: Picture, horizontal: boolean): Record<string, readonly Tick[]> {
  const named = picture.x.kind !== 'category' && picture.x.ticks !== null ? { x: picture.x.ticks } : {}
  const logarithmic = picture.y.flatMap((axis, index) => {
    const name = index > 0 ? 'y2' : horizontal ? 'x' : 'y'
    return axis.scale === 'logarithmic' ? [[name, ticksOn(picture, index)] as const] : []
  })
  return { ...named, ...Object.fromEntries(logarithmic) }
}
