import { type ChartDataset } from 'chart.js'
import { isDotted, isOneBarEach, type Line, type Picture } from '../picture.ts'
import { type ReportChart } from '../report-chart.ts'
import { createAxes, computeTicks } from './axes.ts'
import { keyWidth } from './draw-key.ts'
import { type ChartPoint, type Drawing } from './drawing.ts'
import { captionLine, font, type Look, looks, type Theme } from './look.ts'
import { isUnconnected, createMarks, computeLineShifts } from './marks.ts'
import { heightAbove, heightBelow, createOverlay } from './overlay.ts'
import { type Style, styleAt } from './palette.ts'
import { wrap } from './wrap.ts'

const usualWidth = 1000
const usualHeight = 562
const heightOfPanels = 640
const heightPerBar = 22
const heightPerLegendRow = 30
const heightAroundPlot = 190
const widthBesidePlot = 130
const charactersPerLegendRow = 115
/** With more points than this, they are closer together than a line is thick. */
const densePoints = 600

/** How large a chart is, and whether its texts are in it. */
export type Frame = {
  /** Width in logical pixels. Default 1000. */
  readonly width?: number
  /** Whether title, subtitle and caption are drawn: a page may have them as text beside it. Default true. */
  readonly isTitled?: boolean
}

/** A chart laid out for Chart.js in a theme. Pure, and without anything of Node.js: browsers draw the same. */
export function createDrawing(
  { picture, title, subtitle, caption, styles }: ReportChart,
  theme: Theme,
  { width = usualWidth, isTitled = true }: Frame = {},
): Drawing {
  const look = looks[theme]
  const horizontal = isHorizontal(picture)
  const overlay = createOverlay(picture, look)
  const share = width / usualWidth
  const titleLines = isTitled ? titleText(title, Math.floor(84 * share)) : []
  const subtitleLines = isTitled ? subtitle.split('\n').flatMap((line) => wrap(line, Math.floor(125 * share))) : []
  const captionLines = isTitled && caption !== '' ? wrap(caption, Math.floor(150 * share)) : []
  const key = picture.order ?? []
  const datasets = picture.lines.map((line, index) =>
    dataset(picture, line, styleAt(styles[index] ?? index, look), horizontal, look),
  )
  return {
    width,
    height:
      heightFor(picture, horizontal, width) +
      heightOfTitles(titleLines, subtitleLines) +
      heightAbove(overlay) +
      heightBelow(overlay),
    look,
    chart: {
      type: picture.kind === 'bar' ? 'bar' : 'line',
      data: { datasets, ...(picture.x.kind === 'category' ? { labels: wrapLabels(picture, horizontal, width) } : {}) },
      options: {
        responsive: false,
        animation: false,
        devicePixelRatio: 2,
        locale: 'en-US',
        indexAxis: horizontal ? 'y' : 'x',
        font: font(14),
        color: look.ink,
        layout: {
          padding: {
            top: 16,
            // Leaves room for the figures to the right of horizontal bars.
            right: horizontal ? 76 : 28,
            bottom: 14 + captionLines.length * captionLine + heightBelow(overlay),
            left: 16,
          },
        },
        scales: createAxes(picture, horizontal, look, width),
        plugins: {
          legend: createLegendOptions(picture, look),
          title: {
            ...heading(20, 600, subtitle === '' ? 14 : 4),
            display: isTitled,
            color: look.ink,
            text: titleLines,
          },
          subtitle: {
            ...heading(14, 'normal', 12),
            color: look.faint,
            display: subtitleLines.some((line) => line !== ''),
            text: subtitleLines,
          },
          tooltip: { enabled: false },
        },
      },
    },
    caption: captionLines,
    ticks: computeTicks(picture, horizontal, width),
    marks: createMarks(picture, horizontal),
    areas: picture.lines.flatMap(({ isArea }, index) => (isArea === true ? [index] : [])),
    dotted: picture.lines.flatMap((line, index) => (isDotted(picture, line) ? [index] : [])),
    shifts: computeLineShifts(picture),
    key,
    guide: picture.guide ?? null,
    overlay,
  }
}

const titleLine = 25
const subtitleLine = 18
/** In the height of a chart without long titles. */
const titlesIncluded = 68

function heightOfTitles(title: readonly string[], subtitle: readonly string[]): number {
  return title.length * titleLine + subtitle.length * subtitleLine - titlesIncluded
}

/** A long title is broken before its figure. */
function titleText(title: string, width: number): string[] {
  const [subject = '', ...figure] = title.split(': ')
  const isLong = title.length > width && figure.length > 0
  return isLong ? [`${subject}:`, figure.join(': ')].flatMap((part) => wrap(part, width)) : wrap(title, width)
}

/** Many long names are easier to read beside horizontal bars than slanted under vertical ones. */
function isHorizontal({ kind, x, y, guide }: Picture): boolean {
  if (kind !== 'bar' || x.kind !== 'category' || y.length > 1) return false
  const maxLength = Math.max(0, ...x.labels.map((label) => label.length))
  return guide !== undefined || (maxLength * x.labels.length > 110 && maxLength > 12)
}

function heightFor(picture: Picture, horizontal: boolean, width: number): number {
  const legend = Math.max(0, legendRows(picture) - 1) * heightPerLegendRow
  if (picture.kind === 'points') return heightAroundPlot + width - widthBesidePlot - keyWidth(width)
  if (picture.second === 'below') return heightOfPanels + legend
  if (!horizontal || picture.x.kind !== 'category') return usualHeight + legend
  const barsEach = isOneBarEach(picture) ? 1 : picture.lines.length
  const lines = wrapLabels(picture, horizontal, width).reduce(
    (total, label) => total + Math.max(18 * label.length, barsEach * heightPerBar),
    0,
  )
  return Math.max(360, 210 + picture.x.labels.length * 14 + lines) + legend
}

/** An estimate: a long legend makes the image taller instead of the plot smaller. */
function legendRows({ lines }: Picture): number {
  const characters = lines.reduce((total, { label }) => total + label.length + 6, 0)
  return Math.ceil(characters / charactersPerLegendRow)
}

function wrapLabels({ x }: Picture, horizontal: boolean, pixels: number): string[][] {
  const labels = x.kind === 'category' ? x.labels : []
  const share = pixels / usualWidth
  const width = horizontal
    ? Math.max(14, Math.floor(42 * share))
    : Math.max(8, Math.floor((104 * share) / Math.max(1, labels.length)))
  return labels.map((label) => wrap(label, width))
}

type Dataset = ChartDataset<'bar' | 'line', (ChartPoint | number | null)[]>

function dataset(picture: Picture, line: Line, style: Style, horizontal: boolean, look: Look): Dataset {
  const common = { label: line.label, borderColor: style.colour }
  return picture.kind === 'bar'
    ? { ...common, ...barStyle(picture, line, style, horizontal, look) }
    : { ...common, ...lineStyle(picture, line, style, look) }
}

const axisName = ({ axis }: Line): string => (axis === 0 ? 'y' : 'y2')

/** How opaque a bar is: its whisker has the same colour. Bars of one colour differ in it. */
const barFills = { solid: 'a6', dashed: '4d', dotted: '' } as const
/** How opaque an area is: lines over it stay visible. */
const areaFill = '33'

function barStyle(picture: Picture, line: Line, { colour, dash }: Style, horizontal: boolean, look: Look): Dataset {
  const dotted = isDotted(picture, line)
  const fill = colour + barFills[dash.length > 0 ? 'dashed' : dotted ? 'dotted' : 'solid']
  const labels = picture.x.kind === 'category' ? picture.x.labels : []
  return {
    type: 'bar',
    data: valuesByLabel(picture, line),
    backgroundColor: choosePointFills(
      labels.map((_, index) => line.points.find(({ x }) => x === index)),
      fill,
      look,
    ),
    borderWidth: dotted ? 0 : 1.5,
    borderSkipped: false,
    pointStyle: dotted ? 'circle' : 'rect',
    maxBarThickness: horizontal ? 26 : 90,
    borderRadius: 2,
    ...(isOneBarEach(picture) && { grouped: false }),
    ...(horizontal ? {} : { yAxisID: axisName(line) }),
  }
}

function lineStyle(picture: Picture, line: Line, { colour, dash, shape }: Style, look: Look): Dataset {
  const marked = isMarked(line)
  // Opaque dense lines would hide each other.
  const isDense = line.points.length > densePoints
  const isBeside = line.axis > 0 && picture.second === undefined
  return {
    ...(isDense ? { borderColor: `${colour}99` } : {}),
    type: 'line',
    data: picture.x.kind === 'category' ? valuesByLabel(picture, line) : line.points.map(({ x, y }) => ({ x, y })),
    yAxisID: axisName(line),
    borderWidth: isDense ? 1 : 2.5,
    borderDash: isBeside && dash.length === 0 ? [6, 4] : [...dash],
    borderJoinStyle: 'round',
    pointStyle: marked ? shape : 'line',
    backgroundColor: colour,
    pointBackgroundColor: choosePointFills(line.points, colour, look),
    pointBorderColor: colour,
    pointBorderWidth: 2,
    pointRadius: marked ? 5 : computePointRadii(line),
    clip: 8,
    spanGaps: false,
    ...(isUnconnected(picture) && { showLine: false }),
    ...(line.isArea === true && {
      backgroundColor: `${colour}${areaFill}`,
      pointBackgroundColor: `${colour}${areaFill}`,
      borderWidth: 1,
      borderDash: [],
      pointStyle: 'rect',
    }),
  }
}

/** Points that do not compare with others are hollow. */
function choosePointFills(points: readonly (Line['points'][number] | undefined)[], colour: string, { ground }: Look) {
  return points.some((point) => point?.trust !== undefined)
    ? points.map((point) => (point?.trust === undefined ? colour : ground))
    : colour
}

/** A single point has no line, so it needs a mark. */
const isMarked = ({ dots, points }: Line): boolean => dots || points.filter(({ y }) => y !== null).length === 1

/** A point between two gaps needs a mark too. */
function computePointRadii({ points }: Line): number | number[] {
  const isGap = (index: number): boolean => (points[index]?.y ?? null) === null
  const radii = points.map((_, index) => (isGap(index - 1) && isGap(index + 1) ? 3 : 0))
  return radii.includes(3) ? radii : 0
}

function valuesByLabel({ x }: Picture, { points }: Line): (number | null)[] {
  const labels = x.kind === 'category' ? x.labels : []
  return labels.map((_, index) => points.find((point) => point.x === index)?.y ?? null)
}

/** A single line needs a legend only if it belongs to a series: otherwise the y axis names it. */
function createLegendOptions({ lines }: Picture, { ink }: Look): object {
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
