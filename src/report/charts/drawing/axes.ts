import { type ChartOptions } from 'chart.js'
import { grouping } from '../../../core/quantities.ts'
import { computeRange } from '../../../metrics/statistics.ts'
import { type Picture, type Tick, valuesOn, type XAxis, type YAxis } from '../picture.ts'
import { logRange, logTicks } from '../scales.ts'
import { font, type Look } from './look.ts'
import { wrap } from './wrap.ts'

type Axes = NonNullable<ChartOptions<'bar' | 'line'>['scales']>

/** Axes by name: x, y, and y2 for a second unit. Horizontal bars have their values on x. */
export function createAxes(picture: Picture, horizontal: boolean, look: Look, width: number): Axes {
  const [first, second] = picture.y
  const [names, values] = horizontal ? (['y', 'x'] as const) : (['x', 'y'] as const)
  const valuesAt = horizontal ? 'bottom' : 'left'
  return {
    [names]: namesAxis(picture, horizontal, look, width),
    ...(first === undefined ? {} : { [values]: valuesAxis(picture, first, 0, valuesAt, look, width) }),
    ...(second === undefined ? {} : { y2: valuesAxis(picture, second, 1, picture.second ?? 'right', look, width) }),
    ...(picture.second === 'below' && { between: betweenPanels }),
  }
}

const ticksOfAxis = 8
const ticksOfPanel = 6

/** An axis without anything: room between two panels. */
const betweenPanels: Axes[string] = {
  type: 'linear',
  position: 'left',
  stack: 'panels',
  stackWeight: 0.12,
  weight: 2,
  grid: { display: false },
  border: { display: false },
  ticks: { display: false },
}

function namesAxis({ kind, x, lines }: Picture, horizontal: boolean, look: Look, width: number): Axes[string] {
  return {
    type: x.kind,
    title: createAxisTitle(
      x.title,
      look,
      horizontal ? charactersOfAxis : Math.floor((width - pixelsBesidePlot) / pixelsPerCharacter),
    ),
    grid: { display: kind !== 'bar' && x.kind !== 'category', color: look.grid, tickColor: look.grid },
    border: { color: look.axis },
    ticks: {
      color: look.ink,
      font: font(14),
      maxRotation: horizontal || x.kind !== 'category' ? 0 : 40,
      autoSkip: x.kind !== 'category',
      ...(x.kind === 'linear' ? { includeBounds: false, precision: 0, format: grouping } : {}),
      ...(x.kind !== 'category' && x.ticks !== null && { autoSkip: false }),
    },
    ...(x.kind === 'category' ? { offset: true } : xRange(x, lines)),
  }
}

/** The share of the axis beside points that have marks, so that none is on the edge of the plot. */
const roomBesideMarks = 0.03

/** Named points fill the axis; a time line begins at 0. */
function xRange(x: Extract<XAxis, { ticks: unknown }>, lines: Picture['lines']): { min: number; max: number } {
  if (x.ticks === null) return { min: x.from ?? 0, max: x.end }
  const values = lines.flatMap(({ points }) => points.flatMap(({ x: at, y }) => (y === null ? [] : [at])))
  const { min, max } = x.range === undefined ? computeRange(values) : { min: x.range[0], max: x.range[1] }
  if (x.range !== undefined || !lines.some(({ dots }) => dots)) return { min, max }
  if (x.kind === 'logarithmic') {
    const factor = (max / min) ** roomBesideMarks
    return { min: min / factor, max: max * factor }
  }
  const room = (max - min) * roomBesideMarks
  return { min: min - room, max: max + room }
}

function valuesAxis(
  picture: Picture,
  axis: YAxis,
  index: number,
  position: 'left' | 'right' | 'bottom' | 'below',
  look: Look,
  width: number,
): Axes[string] {
  const title = axis.scale === 'logarithmic' ? `${axis.title}, log scale` : axis.title
  const isPanel = picture.second === 'below'
  return {
    type: axis.scale,
    position: position === 'below' ? 'left' : position,
    title: createAxisTitle(title, look, isPanel || width < widthOfLow ? charactersOfPanel : charactersOfAxis),
    grid: { color: look.grid, tickColor: look.grid, drawOnChartArea: position !== 'right' },
    border: { display: false },
    ticks: {
      color: look.ink,
      font: font(14),
      ...(position === 'bottom' && { maxRotation: 0 }),
      maxTicksLimit: isPanel ? ticksOfPanel : ticksOfAxis,
      autoSkip: axis.scale === 'linear',
      ...(axis.scale === 'linear' && { includeBounds: false, format: grouping }),
    },
    ...(isPanel && { stack: 'panels', stackWeight: 1, weight: index === 0 ? 3 : 1 }),
    ...rangeFor(picture, axis, index),
  }
}

/** The share of a linear axis above the highest value. */
const roomAbove = 0.1

function rangeFor(picture: Picture, axis: YAxis, index: number): { readonly min?: number; readonly max?: number } {
  if (axis.scale === 'logarithmic') {
    const [min, max] = computeLogRange(picture, index)
    return { min, max }
  }
  const values = valuesOn(picture, index)
  if (values.length === 0) return { min: 0 }
  const { min, max } = computeRange(values)
  const from = axis.isCloseUp ? min - (max - min) * roomAbove : Math.min(0, min)
  return { min: from, max: max + Math.max(max - from, Number.EPSILON) * roomAbove }
}

const computeLogRange = (picture: Picture, axis: number): readonly [number, number] =>
  picture.y[axis]?.range ?? logRange(valuesOn(picture, axis))

/** Characters of a vertical title that fit an axis. */
const charactersOfAxis = 36
const charactersOfPanel = 22
/** A narrower chart is as low as a panel. */
const widthOfLow = 600

function createAxisTitle(text: string, { faint }: Look, characters: number): object {
  return { display: text !== '', text: wrap(text, characters), color: faint, font: font(14, 600), padding: 8 }
}

/** Ticks that Chart.js must not choose: named points of the x axis, and round steps of logarithmic axes. */
export function computeTicks(picture: Picture, horizontal: boolean, width: number): Record<string, readonly Tick[]> {
  const { x } = picture
  const named = x.kind !== 'category' && x.ticks !== null ? { x: readable(x.ticks, x.kind, width) } : {}
  const logarithmic = picture.y.flatMap((axis, index) => {
    const name = index > 0 ? 'y2' : horizontal ? 'x' : 'y'
    const limit = horizontal
      ? Math.floor(width / pixelsPerTick)
      : picture.second === 'below'
        ? ticksOfPanel
        : ticksOfAxis
    return axis.scale === 'logarithmic' ? [[name, logTicks(computeLogRange(picture, index), limit)] as const] : []
  })
  return { ...named, ...Object.fromEntries(logarithmic) }
}

const pixelsPerCharacter = 9
const pixelsBetweenLabels = 10
/** Width per tick of a horizontal axis: eight ticks in an image. */
const pixelsPerTick = 120
const pixelsBesidePlot = 140

/** Leaves labels out where they would overlap the one before; the last one stays. */
function readable(ticks: readonly Tick[], kind: 'linear' | 'logarithmic', width: number): readonly Tick[] {
  const placeOf = (value: number): number => (kind === 'linear' ? value : Math.log10(value))
  const { min, max } = computeRange(ticks.map(({ value }) => placeOf(value)))
  const pixels = (width - pixelsBesidePlot) / Math.max(max - min, Number.EPSILON)
  const hasRoom = (one: Tick, other: Tick): boolean => {
    const needed = ((one.label.length + other.label.length) / 2) * pixelsPerCharacter + pixelsBetweenLabels
    return Math.abs(placeOf(one.value) - placeOf(other.value)) * pixels >= needed
  }
  const last = ticks.at(-1)
  const shown: Tick[] = []
  for (const tick of ticks) {
    const previous = shown.at(-1)
    const isFree = (previous === undefined || hasRoom(previous, tick)) && (last === undefined || hasRoom(tick, last))
    if (isFree || tick === last) shown.push(tick)
  }
  return ticks.map((tick) => (shown.includes(tick) ? tick : { ...tick, label: '' }))
}
