import { type Chart, type ChartType, type LegendElement, type Plugin } from 'chart.js'
import { sum } from '../../../metrics/statistics.ts'
import { drawGuide } from './draw-guide.ts'
import { drawKey, drawNumbers } from './draw-key.ts'
import { drawAround, drawBands } from './draw-overlay.ts'
import { type Drawing, type Mark } from './drawing.ts'
import { captionLine, fontText, type Look } from './look.ts'
import { heightAbove } from './overlay.ts'
import { spreadPoints } from './spread-points.ts'

const capWidth = 4
const ringRadius = 10
const dotRadius = 5.5
const roomBelowLegend = 10

/** A Chart.js plugin that draws what Chart.js cannot: whiskers, figures on bars, faults, guides and the caption. */
export function marksPlugin(drawing: Drawing): Plugin<ChartType> {
  const { marks, dotted, key, look, overlay } = drawing
  const isPoint = (dataset: number): boolean => drawing.chart.type === 'line' || dotted.includes(dataset)
  return {
    id: 'mongo-perf-marks',
    beforeInit: ({ legend }) => {
      if (legend !== undefined) addRoomBelow(legend, roomBelowLegend + heightAbove(overlay))
    },
    beforeDatasetsDraw: (chart) => {
      drawBands(chart, drawing)
      drawGuide(chart, drawing)
      for (const mark of marks) if (isPoint(mark.dataset)) drawRange(chart, mark)
    },
    beforeDatasetDraw: (_, { index }) => !dotted.includes(index),
    afterDatasetsUpdate: (chart) =>
      drawing.guide?.kind === 'equality' ? spreadPoints(chart, drawing) : shiftPoints(chart, drawing),
    afterDatasetsDraw: (chart) => {
      for (const dataset of dotted) if (chart.isDatasetVisible(dataset)) drawDots(chart, dataset)
      for (const mark of marks) {
        if (!isPoint(mark.dataset)) drawRange(chart, mark)
        if (mark.isCrossed === true) drawCross(chart, mark, isPoint(mark.dataset))
      }
      if (key.length > 0) drawNumbers(chart, drawing)
      else for (const mark of marks) drawText(chart, mark, isPoint(mark.dataset) ? dotRadius : 0, look)
    },
    afterDraw: (chart) => {
      drawAround(chart, drawing)
      if (key.length > 0) drawKey(chart, drawing)
      drawCaption(chart, drawing)
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

/** Moves the points of a dataset, and its line with them, so that its whiskers are beside those of others. */
function shiftPoints(chart: Chart, { shifts }: Drawing): void {
  shifts.forEach((shift, dataset) => {
    if (shift !== 0) for (const element of chart.getDatasetMeta(dataset).data) element.x += shift
  })
}

/** Draws points at the ends of the bars of a dataset. */
function drawDots(chart: Chart, dataset: number): void {
  const { ctx, data } = chart
  const { backgroundColor, borderColor, data: values = [] } = data.datasets[dataset] ?? {}
  ctx.save()
  ctx.strokeStyle = String(borderColor)
  ctx.lineWidth = 2
  chart.getDatasetMeta(dataset).data.forEach((element, index) => {
    if (values[index] === null) return
    const { x, y } = element.getProps(['x', 'y'], true)
    ctx.fillStyle = String(Array.isArray(backgroundColor) ? backgroundColor[index] : backgroundColor)
    ctx.beginPath()
    ctx.arc(x, y, dotRadius, 0, 2 * Math.PI)
    ctx.fill()
    ctx.stroke()
  })
  ctx.restore()
}

type Placed = {
  readonly x: number
  readonly y: number
  readonly lying: boolean
  /** The pixels of the ends of the whisker. Null: it has none. */
  readonly ends: readonly [number, number] | null
}

/** Finds the place of a mark. Null: its dataset is hidden, or not drawn. */
function locateMark(chart: Chart, { dataset, index, range }: Mark): Placed | null {
  const meta = chart.getDatasetMeta(dataset)
  const element = meta.data[index]
  if (element === undefined || !chart.isDatasetVisible(dataset)) return null
  const lying = chart.options.indexAxis === 'y'
  const { x, y } = element.getProps(['x', 'y'], true)
  const axis = meta[lying ? 'xAxisID' : 'yAxisID'] ?? (lying ? 'x' : 'y')
  const pixel = (value: number): number => chart.scales[axis]?.getPixelForValue(value) ?? 0
  return { x, y, lying, ends: range && [pixel(range[0]), pixel(range[1])] }
}

/** Draws a whisker in the colour of its series. */
function drawRange(chart: Chart, mark: Mark): void {
  const { ctx, data } = chart
  const place = locateMark(chart, mark)
  if (place === null || place.ends === null) return
  const { x, y, lying } = place
  const [from, to] = place.ends
  const across = lying ? y : x
  const line = (a: readonly [number, number], b: readonly [number, number]): void => {
    ctx.moveTo(...turned(a, lying))
    ctx.lineTo(...turned(b, lying))
  }
  ctx.save()
  ctx.beginPath()
  line([across, from], [across, to])
  line([across - capWidth, from], [across + capWidth, from])
  line([across - capWidth, to], [across + capWidth, to])
  ctx.lineWidth = 2
  ctx.strokeStyle = String(data.datasets[mark.dataset]?.borderColor)
  ctx.stroke()
  ctx.restore()
}

/** The half of a cross, in pixels: within a point, or in the middle of a bar. */
const armOfPoint = 3.5
const armOfBar = 6

function drawCross(chart: Chart, { dataset, index }: Mark, isPoint: boolean): void {
  const { ctx, data, options } = chart
  const element = chart.getDatasetMeta(dataset).data[index]
  if (element === undefined || !chart.isDatasetVisible(dataset)) return
  const { x, y, base } = element.getProps(['x', 'y', 'base'], true) as Readonly<Record<'x' | 'y' | 'base', number>>
  const [left, top] = isPoint ? [x, y] : options.indexAxis === 'y' ? [(x + base) / 2, y] : [x, (y + base) / 2]
  const arm = isPoint ? armOfPoint : armOfBar
  ctx.save()
  ctx.beginPath()
  ctx.moveTo(left - arm, top - arm)
  ctx.lineTo(left + arm, top + arm)
  ctx.moveTo(left - arm, top + arm)
  ctx.lineTo(left + arm, top - arm)
  ctx.lineWidth = 2
  ctx.strokeStyle = String(data.datasets[dataset]?.borderColor)
  ctx.stroke()
  ctx.restore()
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

/** The points beside that of a mark on its line. Bars have none. */
function findNeighbours(chart: Chart, { dataset, index }: Mark): readonly Pixel[] {
  const { data, type } = chart.getDatasetMeta(dataset)
  return type === 'line' ? [data[index - 1] ?? [], data[index + 1] ?? []].flat() : []
}

/** The middle of a text above a point: to the side, where the line to a much higher neighbour would cross it. */
export function awayFromLine({ x, y }: Pixel, neighbours: readonly Pixel[], half: number, gap: number): number {
  const crossing = neighbours.filter((other) => (y - other.y) * half > Math.abs(other.x - x) * gap)
  return x + half * Math.sign(sum(crossing.map((other) => Math.sign(x - other.x))))
}

type Pixel = Readonly<Record<'x' | 'y', number>>

/**
 * Draws the text of a mark, and a ring around a point that stands out.
 * @param radius Radius of the point that is drawn there, in pixels.
 */
function drawText(chart: Chart, mark: Mark, radius: number, { ink }: Look): void {
  const { ctx, chartArea } = chart
  const { text, isRinged } = mark
  const place = text === null ? null : locateMark(chart, mark)
  if (text === null || place === null) return
  const { x, y, lying, ends } = place
  ctx.save()
  if (isRinged === true) drawRing(ctx, place, ink)
  const gap = isRinged === true ? ringRadius : radius
  const end = ends === null ? (lying ? x : y) : ends[1]
  ctx.font = fontText(13)
  ctx.fillStyle = ink
  ctx.textAlign = lying ? 'left' : 'center'
  ctx.textBaseline = lying ? 'middle' : 'bottom'
  // The whisker may end inside the point.
  if (lying) ctx.fillText(text, Math.max(end, x + gap) + 8, y)
  else {
    const { width } = ctx.measureText(text)
    const middle = awayFromLine(place, findNeighbours(chart, mark), width / 2, gap)
    ctx.fillText(text, betweenAxes(middle, width, chartArea), Math.min(end, y - gap) - 5)
  }
  ctx.restore()
}

function drawRing(ctx: Chart['ctx'], { x, y }: Placed, ink: string): void {
  ctx.beginPath()
  ctx.arc(x, y, ringRadius, 0, 2 * Math.PI)
  ctx.lineWidth = 2
  ctx.strokeStyle = ink
  ctx.stroke()
}

function drawCaption({ ctx }: Chart, { caption, width, height, look }: Drawing): void {
  ctx.save()
  ctx.font = fontText(12)
  ctx.fillStyle = look.faint
  ctx.textAlign = 'right'
  ctx.textBaseline = 'bottom'
  caption.toReversed().forEach((line, index) => ctx.fillText(line, width - 28, height - 11 - index * captionLine))
  ctx.restore()
}
