import { type ChartDataset } from 'chart.js'
import { type ChartPoint, type Drawing } from './drawing.ts'
import { axesOf, ticksOf } from './axes.ts'
import { faint, font, ink, roomForCaption } from './look.ts'
import { marksOf } from './marks.ts'
import { heightAbove, heightBelow, overlayOf } from './overlay.ts'
import { type Style } from './palette.ts'
import { isDotted, type Line, type Picture } from './picture.ts'
import { wrap } from './wrap.ts'

const imageWidth = 1000
const usualHeight = 562
const heightPerBar = 22
const heightPerLegendRow = 30
const charactersPerLegendRow = 115
/** With more points than this, they are closer together than a line is thick. */
const densePoints = 600

/** What a drawing shows around its plot. */
export type Surroundings = {
  /** Under the title; empty for none. */
  readonly subtitle: string
  readonly caption: string
  readonly styleOf: (line: Line) => Style
}

/** A picture as a Chart.js configuration. */
export function configurationOf(picture: Picture, { subtitle, caption, styleOf }: Surroundings): Drawing {
  const horizontal = isHorizontal(picture)
  const overlay = overlayOf(picture)
  const datasets = picture.lines.map((line) => dataset(picture, line, styleOf(line), horizontal))
  return {
    width: imageWidth,
    height: heightFor(picture, horizontal) + heightAbove(overlay) + heightBelow(overlay),
    chart: {
      type: picture.kind,
      data: { datasets, ...(picture.x.kind === 'category' ? { labels: labelsOf(picture, horizontal) } : {}) },
      options: {
        responsive: false,
        animation: false,
        devicePixelRatio: 2,
        locale: 'en-US',
        indexAxis: horizontal ? 'y' : 'x',
        font: font(14),
        color: ink,
        // Leaves room for the figures to the right of horizontal bars.
        layout: {
          padding: { top: 16, right: horizontal ? 76 : 28, bottom: roomForCaption + heightBelow(overlay), left: 16 },
        },
        scales: axesOf(picture, horizontal),
        plugins: {
          legend: legendOf(picture),
          title: { ...heading(20, 600, subtitle === '' ? 14 : 2), color: ink, text: wrap(picture.title, 84) },
          subtitle: { ...heading(14, 'normal', 12), color: faint, display: subtitle !== '', text: wrap(subtitle, 120) },
          tooltip: { enabled: false },
        },
      },
    },
    caption,
    ticks: ticksOf(picture, horizontal),
    marks: marksOf(picture),
    dotted: picture.lines.flatMap((line, index) => (isDotted(picture, line) ? [index] : [])),
    overlay,
  }
}

/** Many long names are easier to read beside horizontal bars than slanted under vertical ones. */
function isHorizontal({ kind, x, y }: Picture): boolean {
  if (kind !== 'bar' || x.kind !== 'category' || y.length > 1) return false
  const maxLength = Math.max(0, ...x.labels.map((label) => label.length))
  return maxLength * x.labels.length > 110 && maxLength > 12
}

function heightFor(picture: Picture, horizontal: boolean): number {
  const legend = Math.max(0, legendRows(picture) - 1) * heightPerLegendRow
  if (!horizontal || picture.x.kind !== 'category') return usualHeight + legend
  const bars = picture.x.labels.length * (14 + picture.lines.length * heightPerBar)
  return Math.max(usualHeight, 200 + bars) + legend
}

/** An estimate: a long legend makes the image taller instead of the plot smaller. */
function legendRows({ lines }: Picture): number {
  const characters = lines.reduce((total, { label }) => total + label.length + 6, 0)
  return Math.ceil(characters / charactersPerLegendRow)
}

function labelsOf({ x }: Picture, horizontal: boolean): string[][] {
  const labels = x.kind === 'category' ? x.labels : []
  const width = horizontal ? 38 : Math.max(8, Math.floor(104 / Math.max(1, labels.length)))
  return labels.map((label) => wrap(label, width))
}

function dataset(
  picture: Picture,
  line: Line,
  { colour, dash, shape }: Style,
  horizontal: boolean,
): ChartDataset<'bar' | 'line', (ChartPoint | number | [number, number] | null)[]> {
  const axis = line.axis === 0 ? 'y' : 'y2'
  const common = { label: line.label, borderColor: colour, backgroundColor: colour }
  if (picture.kind === 'bar') {
    const data = valuesByLabel(picture, line)
    return {
      ...common,
      type: 'bar',
      data,
      pointStyle: isDotted(picture, line) ? 'circle' : 'rect',
      maxBarThickness: 110,
      borderRadius: 2,
      ...(horizontal ? {} : { yAxisID: axis }),
    }
  }
  const marked = isMarked(line)
  // Opaque dense lines would hide each other.
  const isDense = line.points.length > densePoints
  return {
    ...common,
    ...(isDense ? { borderColor: `${colour}99` } : {}),
    type: 'line',
    data: picture.x.kind === 'category' ? valuesByLabel(picture, line) : line.points.map(({ x, y }) => ({ x, y })),
    yAxisID: axis,
    borderWidth: isDense ? 1 : 2.5,
    borderDash: line.axis === 0 ? [...dash] : [6, 4],
    borderJoinStyle: 'round',
    pointStyle: marked ? shape : 'line',
    pointBackgroundColor: line.axis === 0 ? colour : 'white',
    pointBorderWidth: 2,
    pointRadius: marked ? 5 : radiiOf(line),
    clip: 8,
    spanGaps: false,
  }
}

/** A single point has no line, so it needs a mark. */
const isMarked = ({ dots, points }: Line): boolean => dots || points.filter(({ y }) => y !== null).length === 1

/** A point between two gaps needs a mark too. */
function radiiOf({ points }: Line): number | number[] {
  const isGap = (index: number): boolean => (points[index]?.y ?? null) === null
  const radii = points.map((_, index) => (isGap(index - 1) && isGap(index + 1) ? 3 : 0))
  return radii.includes(3) ? radii : 0
}

function valuesByLabel({ x }: Picture, { points }: Line): (number | null)[] {
  const labels = x.kind === 'category' ? x.labels : []
  return labels.map((_, index) => points.find((point) => point.x === index)?.y ?? null)
}

/** A single line needs a legend only if it belongs to a series: otherwise the y axis names it. */
function legendOf({ lines }: Picture): object {
  return {
    display: lines.length > 1 || lines.some(({ keyOf }) => keyOf === 'series'),
    position: 'top',
    align: 'start',
    labels: {
      usePointStyle: true,
      // Samples of lines are wide; marks would be stretched.
      ...(lines.some(isMarked) ? {} : { pointStyleWidth: 34 }),
      boxHeight: 9,
      padding: 16,
      color: ink,
      font: font(14),
    },
  }
}

function heading(size: number, weight: 'normal' | 600, bottom: number): object {
  return { display: true, align: 'start', font: font(size, weight), padding: { top: 0, bottom } }
}
