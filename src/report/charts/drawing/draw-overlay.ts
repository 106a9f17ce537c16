import { type Chart } from 'chart.js'
import { type Drawing, type Overlay } from './drawing.ts'
import { captionLine, fontText, type Look } from './look.ts'
import { heightBelow, laneHeight, stripHeight, stripTitleHeight } from './overlay.ts'

const fontSize = 13
const roomInSegment = 6

/** The pixel of a value on the x axis, limited to the plot. */
function toPixelX({ scales, chartArea: { left, right } }: Chart, value: number): number {
  const pixel = scales['x']?.getPixelForValue(value) ?? left
  return Math.min(right, Math.max(left, pixel))
}

/** Draws the faults as bands under the lines. */
export function drawBands(chart: Chart, { overlay, look }: Drawing): void {
  if (overlay === null) return
  const { ctx, chartArea } = chart
  ctx.save()
  for (const { from, to } of overlay.bands) {
    const [left, right] = [toPixelX(chart, from), toPixelX(chart, to)]
    ctx.fillStyle = look.band
    ctx.fillRect(left, chartArea.top, right - left, chartArea.bottom - chartArea.top)
    ctx.strokeStyle = look.bandEdge
    drawUpright(ctx, left, chartArea, [])
    if (right > left && right < chartArea.right) drawUpright(ctx, right, chartArea, [3, 4])
  }
  ctx.restore()
}

function drawUpright(
  ctx: Chart['ctx'],
  x: number,
  { top, bottom }: { readonly top: number; readonly bottom: number },
  dash: readonly number[],
): void {
  ctx.beginPath()
  ctx.lineWidth = 1
  ctx.setLineDash([...dash])
  ctx.moveTo(x, top)
  ctx.lineTo(x, bottom)
  ctx.stroke()
}

/** Draws the names of the faults above the plot, and the primaries below it. */
export function drawAround(chart: Chart, { overlay, height, caption, look }: Drawing): void {
  if (overlay === null) return
  const { ctx } = chart
  ctx.save()
  ctx.font = fontText(fontSize)
  for (const label of overlay.labels) drawPointer(chart, label, look)
  for (const label of overlay.labels) drawLabel(chart, label, look)
  overlay.strips.forEach((strip, index) => {
    const above = height - caption.length * captionLine - heightBelow(overlay)
    drawStrip(chart, strip, above - 14 + index * (stripHeight + stripTitleHeight), look)
  })
  ctx.restore()
}

/** Pixels between the plot and the text of the lowest lane. */
const aboveThePlot = 4

const computeLaneBottom = ({ chartArea }: Chart, lane: number): number =>
  chartArea.top - aboveThePlot - lane * laneHeight

/** Draws a line from a name down to the beginning of its band. */
function drawPointer(chart: Chart, { at, lane }: Overlay['labels'][number], { bandEdge }: Look): void {
  chart.ctx.strokeStyle = bandEdge
  drawUpright(
    chart.ctx,
    toPixelX(chart, at),
    { top: computeLaneBottom(chart, lane) - fontSize, bottom: chart.chartArea.top },
    [],
  )
}

/** Draws a name beside its pointer, over the pointers of higher names. */
function drawLabel(chart: Chart, { at, lane, text, isBefore }: Overlay['labels'][number], { ground, ink }: Look): void {
  const { ctx } = chart
  const { width } = ctx.measureText(text)
  const x = toPixelX(chart, at)
  const left = isBefore ? x - 4 - width : x + 4
  const bottom = computeLaneBottom(chart, lane)
  ctx.fillStyle = ground
  ctx.fillRect(left - 1, bottom - fontSize, width + 2, fontSize + 2)
  ctx.fillStyle = ink
  ctx.textAlign = 'left'
  ctx.textBaseline = 'bottom'
  ctx.fillText(text, left, bottom + 2)
}

type OverlayStrip = Overlay['strips'][number]

function drawStrip(chart: Chart, strip: OverlayStrip, top: number, look: Look): void {
  const { ctx, chartArea } = chart
  ctx.setLineDash([])
  ctx.fillStyle = look.faint
  ctx.textAlign = 'left'
  ctx.textBaseline = 'bottom'
  ctx.fillText([strip.title, ...listShortNames(chart, strip)].join(' · '), chartArea.left, top + stripTitleHeight - 2)
  const upper = top + stripTitleHeight
  ctx.strokeStyle = look.axis
  ctx.lineWidth = 1
  ctx.strokeRect(chartArea.left, upper, chartArea.right - chartArea.left, stripHeight)
  for (const segment of strip.segments) drawSegment(chart, segment, upper, look)
  ctx.strokeStyle = look.ink
  for (const { from, to } of strip.bands) {
    const heights = { top: upper, bottom: upper + stripHeight + 3 }
    drawUpright(ctx, toPixelX(chart, from), heights, [])
    if (to > from) drawUpright(ctx, toPixelX(chart, to), heights, [3, 3])
  }
  ctx.setLineDash([])
}

type OverlaySegment = OverlayStrip['segments'][number]

/** Draws a segment with its name, or the short form, if there is room. */
function drawSegment(chart: Chart, segment: OverlaySegment, upper: number, { ink }: Look): void {
  const { ctx } = chart
  const { fill, from, to } = segment
  const [left, right] = [toPixelX(chart, from), toPixelX(chart, to)]
  ctx.fillStyle = fill
  ctx.fillRect(left, upper, right - left, stripHeight)
  ctx.strokeRect(left, upper, right - left, stripHeight)
  const text = [segment.text, segment.short].find((one) => fits(chart, segment, one))
  if (text === undefined) return
  ctx.fillStyle = ink
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.fillText(text, (left + right) / 2, upper + stripHeight / 2)
}

const fits = (chart: Chart, { from, to }: OverlaySegment, text: string): boolean =>
  chart.ctx.measureText(text).width + roomInSegment <= toPixelX(chart, to) - toPixelX(chart, from)

/** A key for the short names that are nowhere written out. */
function listShortNames(chart: Chart, { segments }: OverlayStrip): readonly string[] {
  const written = new Set(segments.filter((one) => fits(chart, one, one.text)).map(({ text }) => text))
  const others = segments.filter(({ text, short }) => short !== '' && !written.has(text))
  return [...new Set(others.map(({ text, short }) => `${short}: ${text}`))]
}
