import { type SKRSContext2D } from '@napi-rs/canvas'
import { type Chart, type ChartType, type LegendElement, type Plugin } from 'chart.js'
import { type BarMark, type Drawing } from './drawing.ts'
import { drawAround, drawBands } from './draw-overlay.ts'
import { faint, fontFamily, ink } from './look.ts'
import { heightAbove } from './overlay.ts'

const capWidth = 5
const ringRadius = 11
const dotRadius = 6
const roomBelowLegend = 10

/** A Chart.js plugin that draws ranges, figures on bars, and the caption. */
export function marksPlugin(drawing: Drawing): Plugin<ChartType> {
  const { marks, dotted, caption, width, height, overlay } = drawing
  return {
    id: 'mongo-perf-marks',
    beforeInit: ({ legend }) => {
      if (legend !== undefined) addRoomBelow(legend, roomBelowLegend + heightAbove(overlay))
    },
    beforeDatasetsDraw: (chart) => drawBands(chart, drawing),
    beforeDatasetDraw: (_, { index }) => !dotted.includes(index),
    afterDatasetsDraw: (chart) => {
      for (const dataset of dotted) drawDots(chart, dataset)
      for (const mark of marks) drawMark(chart, mark, dotted.includes(mark.dataset) ? dotRadius : 0)
    },
    afterDraw: (chart) => {
      drawAround(chart, drawing)
      const { ctx } = chart
      ctx.save()
      ctx.font = `12px "${fontFamily}"`
      ctx.fillStyle = faint
      ctx.textAlign = 'right'
      ctx.textBaseline = 'bottom'
      ctx.fillText(caption, width - 28, height - 12)
      ctx.restore()
    },
  }
}

/** Adds room between legend and plot, for which Chart.js has no option. */
function addRoomBelow(legend: LegendElement<ChartType>, room: number): void {
  const fit = legend.fit.bind(legend)
  legend.fit = () => {
    fit()
    legend.height += room
  }
}

/** Draws dots at the ends of the bars of a dataset. */
function drawDots(chart: Chart, dataset: number): void {
  const { ctx, data } = chart
  const { backgroundColor, data: values = [] } = data.datasets[dataset] ?? {}
  ctx.save()
  ctx.fillStyle = String(backgroundColor)
  chart.getDatasetMeta(dataset).data.forEach((element, index) => {
    if (values[index] === null) return
    const { x, y } = element.getProps(['x', 'y'], true)
    ctx.beginPath()
    ctx.arc(x, y, dotRadius, 0, 2 * Math.PI)
    ctx.fill()
  })
  ctx.restore()
}

/** @param radius Radius of the dot that is drawn there, in pixels. */
function drawMark(chart: Chart, { dataset, index, range, text, isRinged }: BarMark, radius: number): void {
  const element = chart.getDatasetMeta(dataset).data[index]
  if (element === undefined) return
  const lying = chart.options.indexAxis === 'y'
  const { x, y } = element.getProps(['x', 'y'], true)
  const axis = chart.getDatasetMeta(dataset)[lying ? 'xAxisID' : 'yAxisID'] ?? (lying ? 'x' : 'y')
  const pixel = (value: number): number => chart.scales[axis]?.getPixelForValue(value) ?? 0
  const { ctx } = chart
  ctx.save()
  if (range !== null) drawRange(ctx, lying ? y : x, [pixel(range[0]), pixel(range[1])], lying)
  if (isRinged === true) drawRing(ctx, { x, y })
  if (text !== null) {
    const gap = isRinged === true ? ringRadius : radius
    const end = range === null ? (lying ? x : y) : pixel(range[1])
    // The range of the repeats may end inside the dot.
    const at = lying ? { x: Math.max(end, x + gap) + 8, y } : { x, y: Math.min(end, y - gap) - 6 }
    drawText(chart, text, at, lying)
  }
  ctx.restore()
}

function drawRange(ctx: SKRSContext2D, across: number, [from, to]: readonly [number, number], lying: boolean): void {
  const line = (a: readonly [number, number], b: readonly [number, number]): void => {
    ctx.moveTo(...turned(a, lying))
    ctx.lineTo(...turned(b, lying))
  }
  ctx.beginPath()
  line([across, from], [across, to])
  line([across - capWidth, from], [across + capWidth, from])
  line([across - capWidth, to], [across + capWidth, to])
  ctx.lineWidth = 1.5
  ctx.strokeStyle = ink
  ctx.stroke()
}

function drawRing(ctx: SKRSContext2D, { x, y }: { readonly x: number; readonly y: number }): void {
  ctx.beginPath()
  ctx.arc(x, y, ringRadius, 0, 2 * Math.PI)
  ctx.lineWidth = 2
  ctx.strokeStyle = ink
  ctx.stroke()
}

function turned([x, y]: readonly [number, number], lying: boolean): [number, number] {
  return lying ? [y, x] : [x, y]
}

/** Moves the middle of a text so that it stays between the axes and does not cover their numbers. */
export const betweenAxes = (
  x: number,
  width: number,
  { left, right }: Readonly<Record<'left' | 'right', number>>,
): number => Math.max(left + width / 2, Math.min(right - width / 2, x))

function drawText(
  { ctx, chartArea }: Chart,
  text: string,
  at: { readonly x: number; readonly y: number },
  lying: boolean,
): void {
  ctx.font = `13px "${fontFamily}"`
  ctx.fillStyle = ink
  ctx.textAlign = lying ? 'left' : 'center'
  ctx.textBaseline = lying ? 'middle' : 'bottom'
  const x = lying ? at.x : betweenAxes(at.x, ctx.measureText(text).width, chartArea)
  ctx.fillText(text, x, at.y)
}
