import { Chart, type ChartConfiguration } from 'chart.js'
import { createDrawing } from '../charts/drawing/drawing-of.ts'
import type { Drawing } from '../charts/drawing/drawing.ts'
import { looks } from '../charts/drawing/look.ts'
import { type Style, styleAt } from '../charts/drawing/palette.ts'
import { withPlugins } from '../charts/drawing/with-plugins.ts'
import type { LimitedTrust, Point } from '../charts/picture.ts'
import type { ReportChart } from '../charts/report-chart.ts'
import { barNumber } from '../charts/scales.ts'
import { currentTheme, element } from './element.ts'
import { lineSwitches } from './line-switches.ts'
import { drawWhenSeen } from './when-seen.ts'

/** Draws the charts that a report has, each beside the texts of the page. */
export function setUpCharts(root: ParentNode): void {
  for (const figure of root.querySelectorAll<HTMLElement>('figure[data-chart]')) {
    const chart = JSON.parse(figure.querySelector('script[data-json="chart"]')?.textContent ?? '') as ReportChart
    const plot = figure.querySelector<HTMLElement>('.plot')
    if (plot !== null) showChart(plot, chart)
  }
}

/**
 * Draws a chart, with switches for its lines and tooltips.
 * @param shownFirst How many lines are shown at first. Default: all.
 */
export function showChart(plot: HTMLElement, chart: ReportChart, shownFirst = Infinity): void {
  const { lines } = chart.picture
  const canvas = element('canvas')
  plot.append(canvas)
  let drawn: Chart | undefined
  const switches = lineSwitches(
    lines.map(({ label }, index) => ({
      label,
      sample: () => createSample(styleAt(chart.styles[index] ?? index, looks[currentTheme()])),
    })),
    { shownFirst, onChange: () => draw() },
  )
  const draw = (): void => {
    drawn?.destroy()
    const shown = withLines(chart, switches.isShown)
    const drawing = inProportion(createDrawing(shown, currentTheme(), { width: plot.clientWidth, isTitled: false }))
    Object.assign(canvas, { width: drawing.width, height: drawing.height })
    drawn = new Chart(canvas, createConfiguration(shown, drawing))
  }
  if (switches.group !== null) plot.before(switches.group)
  drawWhenSeen(plot, draw)
}

const createSample = ({ colour, dash }: Style): string =>
  dash.length === 0 ? colour : `repeating-linear-gradient(90deg, ${colour} 0 3px, transparent 3px 5px)`

/** The chart with some of its lines. Those that stay keep their styles. */
function withLines(chart: ReportChart, isShown: (index: number) => boolean): ReportChart {
  const shown = <Item>(items: readonly Item[]): readonly Item[] => items.filter((_, index) => isShown(index))
  return { ...chart, styles: shown(chart.styles), picture: { ...chart.picture, lines: shown(chart.picture.lines) } }
}

/** A page is wider than an image, or narrower. What has a height of its own keeps it. */
function inProportion(drawing: Drawing): Drawing {
  const { width, height, overlay, guide, chart } = drawing
  if (overlay !== null || guide !== null || chart.options?.indexAxis === 'y') return drawing
  return { ...drawing, height: Math.min(height, Math.max(300, width * 0.42)) }
}

function createConfiguration(chart: ReportChart, drawing: Drawing): ChartConfiguration {
  const configuration = withPlugins(drawing)
  const { ground, ink } = drawing.look
  const { options = {} } = configuration
  return {
    ...configuration,
    options: {
      ...options,
      devicePixelRatio: Math.max(1, devicePixelRatio),
      interaction: { mode: 'nearest', intersect: false, axis: options.indexAxis === 'y' ? 'y' : 'x' },
      plugins: {
        ...options.plugins,
        // The switches are the legend.
        legend: { display: false },
        tooltip: {
          enabled: true,
          backgroundColor: ink,
          titleColor: ground,
          bodyColor: ground,
          callbacks: {
            title: (items) => formatTooltipTitle(chart, items),
            label: (item) => formatTooltipLabel(chart, item),
          },
        },
      },
    },
  }
}

/** Subject of a tooltip. */
type Pointed = { readonly datasetIndex: number; readonly dataIndex: number }

function findPoint({ picture }: ReportChart, { datasetIndex, dataIndex }: Pointed): Point | undefined {
  const points = picture.lines[datasetIndex]?.points ?? []
  return picture.x.kind === 'category' ? points.find(({ x }) => x === dataIndex) : points[dataIndex]
}

function formatTooltipTitle(chart: ReportChart, [first]: readonly Pointed[]): string {
  const point = first && findPoint(chart, first)
  if (point === undefined) return ''
  const { x } = chart.picture
  if (point.name !== undefined) return point.name
  if (x.kind === 'category') return x.labels[point.x] ?? ''
  const tick = x.ticks?.find(({ value }) => value === point.x)
  return `${x.title}: ${tick?.label ?? barNumber(point.x)}`
}

const trustTexts: Readonly<Record<LimitedTrust, string>> = {
  'lower bound': ', a lower bound',
  'do not compare': ', which does not compare',
}

function formatTooltipLabel(chart: ReportChart, item: Pointed): string {
  const point = findPoint(chart, item)
  const line = chart.picture.lines[item.datasetIndex]
  if (point === undefined || point.y === null || line === undefined) return ''
  const range = point.range === null ? '' : ` (${barNumber(point.range[0])} to ${barNumber(point.range[1])})`
  return `${line.label}: ${barNumber(point.y)}${range}${point.trust === undefined ? '' : trustTexts[point.trust]}`
}
