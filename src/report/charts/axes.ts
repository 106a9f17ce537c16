import { type ChartOptions } from 'chart.js'
import { faint, gridColour, ink } from './look.ts'
import { type Picture, type Tick, type YAxis } from './picture.ts'
import { logTicks } from './scales.ts'

type Axes = NonNullable<ChartOptions<'bar' | 'line'>['scales']>

/** Axes by their name: x, y, and y2 for a second unit. Lying bars change places: their values run along x. */
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
    title: titleOf(x.title),
    grid: { display: kind === 'line' && x.kind !== 'category', color: gridColour, tickColor: gridColour },
    border: { color: '#9aa4ae' },
    ticks: {
      color: ink,
      font: { size: 14 },
      maxRotation: horizontal || x.kind !== 'category' ? 0 : 40,
      autoSkip: x.kind !== 'category',
    },
    ...(x.kind === 'category'
      ? { offset: true }
      : rangeOf(lines.flatMap(({ points }) => points.map((point) => point.x)))),
  }
}

function rangeOf(values: readonly number[]): { min: number; max: number } {
  return { min: Math.min(...values), max: Math.max(...values) }
}

function valuesAxis(picture: Picture, axis: YAxis, index: number, position: 'left' | 'right' | 'bottom'): Axes[string] {
  const marks = logTicks(valuesOn(picture, index))
  const ends =
    axis.scale === 'logarithmic' ? rangeOf(marks.map(({ value }) => value)) : { beginAtZero: true, grace: '6%' }
  return {
    type: axis.scale,
    position,
    title: titleOf(axis.title),
    grid: { color: gridColour, tickColor: gridColour, drawOnChartArea: index === 0 },
    border: { display: false },
    ticks: { color: ink, font: { size: 14 }, maxTicksLimit: 8 },
    ...ends,
  }
}

function titleOf(text: string): object {
  return { display: text !== '', text, color: faint, font: { size: 14, weight: '600' }, padding: 8 }
}

/** Ticks that Chart.js is not to choose: named points of the x axis, and round steps of logarithmic axes. */
export function ticksOf(picture: Picture, horizontal: boolean): Record<string, readonly Tick[]> {
  const named = picture.x.kind !== 'category' && picture.x.ticks !== null ? { x: picture.x.ticks } : {}
  const logarithmic = picture.y.flatMap((axis, index) => {
    const name = index > 0 ? 'y2' : horizontal ? 'x' : 'y'
    return axis.scale === 'logarithmic' ? [[name, logTicks(valuesOn(picture, index))] as const] : []
  })
  return { ...named, ...Object.fromEntries(logarithmic) }
}

function valuesOn({ lines }: Picture, axis: number): readonly number[] {
  return lines
    .filter((line) => line.axis === axis)
    .flatMap(({ points }) => points.flatMap(({ y, range }) => (y === null ? [] : [y, ...(range ?? [])])))
}
