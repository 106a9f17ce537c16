import { Chart, type ChartConfiguration, type Plugin, type Scale } from 'chart.js'
import { grouping } from '../../core/quantities.ts'
import type { Series } from '../../metrics/columns/column.ts'
import { fillBelow } from '../charts/drawing/fill-below.ts'
import type { Look } from '../charts/drawing/look.ts'
import { areaColour } from '../charts/drawing/palette.ts'
import { barNumber, logRange, logTicks } from '../charts/scales.ts'
import type { TimeLine } from '../html/page-data.ts'
import { colourAt, currentLook, element, swatch } from './element.ts'
import type { TimeWindow } from './time-window.ts'
import { drawWhenSeen } from './when-seen.ts'

const defaultHeight = 170
/** The axes of all panels are equally wide, so that the same second is below itself. */
const axisWidth = 64
const stripHeight = 16
const nameHeight = 20

export type PanelLine = {
  readonly label: string
  readonly values: Series
  readonly colour: number | null
  /** The operation that it belongs to. Absent: all of them, or none. */
  readonly operation?: number
  readonly isDashed?: true
  readonly isStrong?: true
  /** Whether it is filled down to the x axis. Default: no. */
  readonly isArea?: true
}

/** Operations of an open loop that were due and never sent, per second. */
export const unsentArea = (values: Series): PanelLine => ({
  label: 'due, not sent',
  values,
  colour: null,
  isArea: true,
})

export type TimePanel = { readonly place: HTMLElement; readonly draw: () => void }

export type PanelContent = {
  readonly title: string
  readonly lines: readonly PanelLine[]
  readonly scale: 'linear' | 'logarithmic'
  readonly timeLine: TimeLine
  readonly view: TimeWindow
  readonly isShown: (line: PanelLine) => boolean
  /** Drawn under the lines. Default: nothing. */
  readonly under?: (chart: Chart) => void
  /** Default: 170 pixels. */
  readonly height?: number
  /** Whether the names of faults are above the plot. Default: no. */
  readonly isFirst?: boolean
  /** Ends of a logarithmic axis. Default: those of the lines. */
  readonly range?: readonly number[]
}

/** One of several panels over the same time. */
export function timePanel(content: PanelContent): TimePanel {
  const { title, lines, timeLine, view, isShown, height = defaultHeight } = content
  const readout = element('p', { class: 'readout' })
  const canvas = element('canvas', {
    role: 'img',
    'aria-label': `${title} over ${barNumber(timeLine.end)} s: ${lines.map(rangeText).join('; ')}`,
  })
  const plot = element('div', { class: 'plot' }, canvas)
  const place = element('div', { class: 'panel' }, element('h4', {}, title), ...createKey(content), readout, plot)
  let drawn: Chart | undefined
  view.scales.join({
    title,
    values: () => collectValues(content),
    isInPage: () => canvas.isConnected,
    draw() {
      drawn?.destroy()
      Object.assign(canvas, { width: plot.clientWidth, height: height + timeLine.strips.length * (stripHeight + 4) })
      drawn = new Chart(canvas, createConfiguration(content))
    },
  })
  const draw = (): void => view.scales.redraw(title)
  view.onChange((what) => {
    if (!canvas.isConnected) return
    // Also of a panel that is drawn later, when it is scrolled to.
    if (what === 'second') readout.textContent = formatReading(lines.filter(isShown), timeLine, view.at())
    if (drawn === undefined) return
    if (what === 'second') return drawn.draw()
    const { from, to } = view.range()
    Object.assign(drawn.options.scales?.['x'] ?? {}, { min: from, max: to })
    drawn.update('none')
  })
  followPointer(canvas, () => drawn, view)
  drawWhenSeen(plot, draw)
  return { place, draw }
}

/** The lines that have no switch. */
function createKey({ lines, under }: PanelContent): readonly HTMLElement[] {
  const others = lines.filter(({ operation }) => operation === undefined)
  if (under !== undefined || lines.length < 2 || others.length === 0) return []
  const items = others.map(({ label, colour, isArea }) => {
    const sample = swatch(() => (colour === null ? currentLook()[isArea === true ? 'faint' : 'ink'] : colourAt(colour)))
    return element('span', {}, sample, label)
  })
  return [element('p', { class: 'key' }, ...items)]
}

function rangeText({ label, values }: PanelLine): string {
  const known = values.filter((value) => value !== null)
  return known.length === 0
    ? `${label} has no values`
    : `${label} from ${barNumber(Math.min(...known))} to ${barNumber(Math.max(...known))}`
}

/** The middle of the seconds that a value stands for. */
export const computeMiddle = (index: number, { step, end }: TimeLine): number =>
  (index * step + Math.min(end, (index + 1) * step)) / 2

function formatReading(lines: readonly PanelLine[], { step, bands }: TimeLine, at: number | null): string {
  if (at === null) return ''
  const index = Math.floor(at / step)
  const values = lines.flatMap(({ label, values: of }) => {
    const value = of[index] ?? null
    return value === null ? [] : [`${label} ${barNumber(value)}`]
  })
  const faults = bands.flatMap(({ label, from, to }) => (from <= at && at <= Math.max(to, from + step) ? label : []))
  return [`${barNumber(index * step)} s`, ...faults, ...values].join(' · ')
}

/** The values between which a panel needs its scale. */
const collectValues = ({ lines, isShown, range }: PanelContent): readonly number[] =>
  range ?? lines.filter(isShown).flatMap(({ values }) => values.filter((value) => value !== null))

function createConfiguration(content: PanelContent): ChartConfiguration {
  const { title, lines, scale, timeLine, view, isShown, under, isFirst } = content
  const look = currentLook()
  const { from, to } = view.range()
  const shown = lines.filter(isShown)
  const values = view.scales.valuesOf(title)
  const ends = scale === 'logarithmic' ? logEnds(values) : null
  const ticks = ends === null ? [] : logTicks(ends)
  return {
    type: 'line',
    data: {
      datasets: shown.map(({ label, values: of, colour, isDashed, isStrong, isArea }) => ({
        label,
        data: of.map((y, index) => ({ x: computeMiddle(index, timeLine), y })),
        borderColor: colour === null ? look.ink : colourAt(colour),
        borderWidth: under !== undefined ? 0 : isArea === true ? 1 : isStrong === true ? 2.5 : 1.75,
        borderDash: isDashed === true ? [5, 3] : [],
        pointRadius: of.filter((value) => value !== null).length === 1 ? 3 : 0,
      })),
    },
    options: {
      responsive: false,
      animation: false,
      devicePixelRatio: Math.max(1, devicePixelRatio),
      locale: 'en-US',
      events: [],
      layout: {
        padding: {
          right: 12,
          top: isFirst === true && timeLine.bands.length > 0 ? nameHeight : 6,
          bottom: timeLine.strips.length * (stripHeight + 4),
        },
      },
      scales: {
        x: {
          type: 'linear',
          min: from,
          max: to,
          grid: { color: look.grid },
          ticks: {
            color: look.faint,
            maxRotation: 0,
            includeBounds: false,
            callback: (value) => `${barNumber(Number(value))} s`,
          },
        },
        y: {
          type: ends === null ? 'linear' : 'logarithmic',
          ...(ends === null
            ? { beginAtZero: true, suggestedMax: Math.max(0, ...values), grace: '5%' }
            : { min: ends[0], max: ends[1] }),
          grid: { color: look.grid },
          border: { display: false },
          ticks: {
            color: look.faint,
            maxTicksLimit: 6,
            format: grouping,
            ...(ends !== null && { callback: (value) => ticks.find((tick) => tick.value === value)?.label ?? '' }),
          },
          afterFit: (axis: Scale) => {
            axis.width = axisWidth
          },
          ...(ends !== null && {
            afterBuildTicks: (axis: Scale) => {
              axis.ticks = ticks.map(({ value }) => ({ value }))
            },
          }),
        },
      },
      plugins: { legend: { display: false }, tooltip: { enabled: false }, title: { display: false } },
    },
    plugins: [surroundings(content, look)],
  }
}

function logEnds(values: readonly number[]): readonly [number, number] | null {
  const positive = values.filter((value) => value > 0)
  return positive.length === 0 ? null : logRange(positive)
}

/** The pixel of a second, within the plot. */
function pixel({ scales, chartArea: { left, right } }: Chart, second: number): number {
  return Math.min(right, Math.max(left, scales['x']?.getPixelForValue(second) ?? left))
}

/** Faults under the lines, primaries below them, and the second that is read above them. */
function surroundings(content: PanelContent, look: Look): Plugin {
  const { lines, isShown, timeLine, view, under, isFirst } = content
  const { bands, strips } = timeLine
  const inView = (): TimeLine['bands'] => {
    const { from, to } = view.range()
    return bands.filter((band) => band.from <= to && band.to >= from)
  }
  return {
    id: 'mongo-perf-time',
    beforeDatasetsDraw: (chart) => {
      const { ctx, chartArea } = chart
      ctx.save()
      ctx.fillStyle = look.band
      ctx.strokeStyle = look.bandEdge
      for (const { from, to } of inView()) {
        const [left, right] = [pixel(chart, from), pixel(chart, to)]
        ctx.fillRect(left, chartArea.top, Math.max(1, right - left), chartArea.bottom - chartArea.top)
        upright(ctx, left, chartArea)
      }
      ctx.restore()
      for (const [index, { isArea }] of lines.filter(isShown).entries())
        if (isArea === true) fillBelow(chart, index, `${look.faint}55`)
      under?.(chart)
    },
    afterDraw: (chart) => {
      const { ctx, chartArea, height: whole } = chart
      const top = whole - strips.length * (stripHeight + 4)
      ctx.save()
      ctx.font = '12px system-ui, sans-serif'
      ctx.textBaseline = 'middle'
      if (isFirst === true) drawNames(chart, inView(), look)
      strips.forEach(({ segments }, index) => {
        const upper = top + index * (stripHeight + 4)
        for (const { from, to, label, colour } of segments) {
          const [left, right] = [pixel(chart, from), pixel(chart, to)]
          ctx.fillStyle = areaColour(colour, look)
          ctx.fillRect(left, upper, right - left, stripHeight)
          ctx.fillStyle = look.ink
          const text = `primary ${label}`
          if (ctx.measureText(text).width + 8 < right - left) ctx.fillText(text, left + 4, upper + stripHeight / 2)
        }
      })
      const at = view.at()
      const { from, to } = view.range()
      if (at !== null && at >= from && at <= to) {
        ctx.strokeStyle = look.ink
        upright(ctx, pixel(chart, at), chartArea)
      }
      ctx.restore()
    },
  }
}

/** Draws the names of faults above the beginnings of their bands, where the one before leaves room. */
function drawNames(chart: Chart, bands: TimeLine['bands'], { ink }: Look): void {
  const { ctx, chartArea } = chart
  let free = 0
  ctx.fillStyle = ink
  for (const { label, from } of bands) {
    const { width } = ctx.measureText(label)
    const left = Math.min(pixel(chart, from), chartArea.right - width)
    if (left < free) continue
    ctx.fillText(label, left, chartArea.top - nameHeight / 2)
    free = left + width + 8
  }
}

function upright(
  ctx: CanvasRenderingContext2D,
  x: number,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): void {
  ctx.lineWidth = 1
  ctx.beginPath()
  ctx.moveTo(x, top)
  ctx.lineTo(x, bottom)
  ctx.stroke()
}

/** Pointing reads a second in all panels; dragging shows a part of the time in all of them, and two clicks all of it. */
function followPointer(canvas: HTMLCanvasElement, chart: () => Chart | undefined, view: TimeWindow): void {
  let begin: number | null = null
  const secondAt = ({ offsetX }: PointerEvent): number | null => {
    const value = chart()?.scales['x']?.getValueForPixel(offsetX)
    return value === undefined ? null : value
  }
  canvas.addEventListener('pointermove', (event) => view.lookAt(secondAt(event)))
  canvas.addEventListener('pointerleave', () => view.lookAt(null))
  canvas.addEventListener('pointerdown', (event) => {
    begin = secondAt(event)
  })
  canvas.addEventListener('pointerup', (event) => {
    const end = secondAt(event)
    const { from, to } = view.range()
    // A shorter way is a click.
    if (begin !== null && end !== null && Math.abs(end - begin) > (to - from) / 50)
      view.zoomTo({ from: Math.min(begin, end), to: Math.max(begin, end) })
    begin = null
  })
  canvas.addEventListener('dblclick', view.showAll)
}
