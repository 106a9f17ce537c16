import { type Chart, type Scale } from 'chart.js'
import { type Guide } from '../picture.ts'
import { type Drawing } from './drawing.ts'

/** Draws the line with which points are compared, and the band around it, under the points. */
export function drawGuide(chart: Chart, { guide, look }: Drawing): void {
  if (guide === null) return
  const { ctx, chartArea } = chart
  ctx.save()
  ctx.beginPath()
  ctx.rect(chartArea.left, chartArea.top, chartArea.right - chartArea.left, chartArea.bottom - chartArea.top)
  ctx.clip()
  const [low, high] = guide.band
  ctx.fillStyle = look.band
  trace(chart, [...computeGuideEnds(chart, guide, low), ...computeGuideEnds(chart, guide, high).toReversed()])
  ctx.fill()
  ctx.strokeStyle = look.ink
  ctx.lineWidth = 1.5
  trace(chart, computeGuideEnds(chart, guide, 1))
  ctx.stroke()
  ctx.restore()
}

type Pixel = readonly [x: number, y: number]

function trace({ ctx }: Chart, points: readonly Pixel[]): void {
  ctx.beginPath()
  points.forEach(([x, y], index) => (index === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)))
}

/** Both ends of the line on which values are a factor of what they are compared with. */
function computeGuideEnds(
  { scales, options, chartArea }: Chart,
  { kind, at: level = 1 }: Guide,
  factor: number,
): readonly Pixel[] {
  const [x, y] = [scales['x'], scales['y']]
  if (x === undefined || y === undefined) return []
  if (kind === 'equality') return [pixelAt(x, y, x.min, factor), pixelAt(x, y, x.max, factor)]
  if (options.indexAxis === 'y') {
    const at = x.getPixelForValue(level * factor)
    return [
      [at, chartArea.top],
      [at, chartArea.bottom],
    ]
  }
  const at = y.getPixelForValue(level * factor)
  return [
    [chartArea.left, at],
    [chartArea.right, at],
  ]
}

const pixelAt = (x: Scale, y: Scale, value: number, factor: number): Pixel => [
  x.getPixelForValue(value),
  y.getPixelForValue(value * factor),
]
