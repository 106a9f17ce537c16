import { type Chart } from 'chart.js'
import { computeRange } from '../../../metrics/statistics.ts'
import { type Drawing } from './drawing.ts'
import { fontText } from './look.ts'
import { wrap } from './wrap.ts'

const fontSize = 13
const lineHeight = 17
const roomBetweenNames = 6
const pixelsPerCharacter = 6.7
const numberWidth = 28
const radius = 9

/** Room for the names of numbered points to the right of the plot, in pixels. */
export const keyWidth = (width: number): number => Math.min(380, Math.round(width * 0.38))

type Box = { readonly x: number; readonly y: number }

/** Places of a number around its point, the best first. */
const places: readonly Box[] = [
  { x: 12, y: -12 },
  { x: -12, y: -12 },
  { x: 12, y: 12 },
  { x: -12, y: 12 },
  { x: 0, y: -17 },
  { x: 0, y: 17 },
  { x: 20, y: 0 },
  { x: -20, y: 0 },
  { x: 24, y: -24 },
  { x: -24, y: 24 },
]

/** Draws the number of each point beside it, where neither points nor other numbers are. */
export function drawNumbers(chart: Chart, { marks, guide, look: { ink } }: Drawing): void {
  const { ctx } = chart
  const points = marks.flatMap(({ dataset, index, text, range }) => {
    const element = chart.getDatasetMeta(dataset).data[index]
    if (element === undefined || text === null || !chart.isDatasetVisible(dataset)) return []
    const { x, y } = element.getProps(['x', 'y'], true)
    const ends = range?.map((value) => chart.scales['y']?.getPixelForValue(value) ?? y) ?? []
    return [{ x, y, ends, text }]
  })
  ctx.save()
  ctx.font = fontText(fontSize)
  ctx.fillStyle = ink
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  const taken: Box[] = [
    ...points.flatMap(({ x, y, ends }) => [{ x, y }, ...alongWhisker(x, ends)]),
    ...(guide?.kind === 'equality' ? alongEquality(chart) : []),
  ]
  for (const point of points) {
    const { x, y, text } = point
    // Nearer to another point it would seem to be the number of that.
    const isBeside = (one: Box): boolean =>
      points.every((other) => other === point || distance(one, other) > distance(one, point))
    const spots = places.map((place) => ({ x: x + place.x, y: y + place.y })).filter(isBeside)
    const spot = spots.find((one) => taken.every((other) => distance(one, other) > radius)) ?? spots[0]
    if (spot === undefined) continue
    taken.push(spot)
    ctx.fillText(text, spot.x, spot.y)
  }
  ctx.restore()
}

function alongEquality({ chartArea, scales: { x, y } }: Chart): readonly Box[] {
  const count = Math.ceil((chartArea.right - chartArea.left) / radius)
  return Array.from({ length: count }, (_, step) => {
    const pixel = chartArea.left + step * radius
    return { x: pixel, y: y?.getPixelForValue(x?.getValueForPixel(pixel) ?? 0) ?? 0 }
  })
}

/** Places that a number must not cover. */
function alongWhisker(x: number, ends: readonly number[]): readonly Box[] {
  const { min, max } = computeRange(ends)
  return Array.from({ length: Math.max(0, Math.ceil((max - min) / radius)) }, (_, step) => ({
    x,
    y: min + step * radius,
  }))
}

const distance = (one: Box, other: Box): number => Math.hypot(one.x - other.x, one.y - other.y)

/** Draws the names of the numbers to the right of the plot. */
export function drawKey({ ctx, chartArea }: Chart, { key, width, look }: Drawing): void {
  const left = width - keyWidth(width) + 24
  const characters = Math.floor((keyWidth(width) - 24 - numberWidth) / pixelsPerCharacter)
  ctx.save()
  ctx.font = fontText(fontSize)
  ctx.fillStyle = look.ink
  ctx.textBaseline = 'top'
  let top = chartArea.top
  key.forEach((name, index) => {
    ctx.textAlign = 'right'
    ctx.fillText(String(index + 1), left + numberWidth - 10, top)
    ctx.textAlign = 'left'
    for (const line of wrap(name, characters)) {
      ctx.fillText(line, left + numberWidth, top)
      top += lineHeight
    }
    top += roomBetweenNames
  })
  ctx.restore()
}
