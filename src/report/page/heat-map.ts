import type { Chart, Scale } from 'chart.js'
import { computeRange } from '../../metrics/statistics.ts'
import { binStartMs } from '../../results/latency-bins.ts'
import { barNumber } from '../charts/scales.ts'
import type { OperationLine, TimeLine } from '../html/page-data.ts'
import { choice, currentLook, element, swatch } from './element.ts'
import { timePanel } from './time-panel.ts'
import type { TimeWindow } from './time-window.ts'
import { valuesTable } from './values-table.ts'

const height = 240

const explanations = {
  histograms:
    'A cell counts the operations in one range of latencies: the stronger the colour, the more of them. Two bands, one above the other, are two kinds of operations, such as reads from the cache and reads from disk.',
  percentiles:
    'This result keeps only p50, p99 and maximum of each second. So a second has three shades: the fastest half of its operations, those from the median to the p99, and the slowest 1 %. The stronger the colour, the denser the operations. The lower end is the minimum of the whole phase.',
} as const

/** Latencies over time, of one operation at a time. */
export function heatMap(timeLine: TimeLine, view: TimeWindow): HTMLElement {
  const place = element('div')
  const panels = element('div')
  const { operations } = timeLine
  const show = (index: number): void => {
    const operation = operations[index]
    if (operation !== undefined) panels.replaceChildren(...createPanel(operation, timeLine, view))
  }
  const select = choice(
    'Operation',
    operations.map(({ name }) => name),
    show,
  )
  place.append(...(select === null ? [] : [select]), panels)
  show(0)
  return place
}

function createPanel(operation: OperationLine, timeLine: TimeLine, view: TimeWindow): readonly HTMLElement[] {
  const kept = operation.histograms.length > 0 ? 'histograms' : 'percentiles'
  const cells = kept === 'histograms' ? cellsOfHistograms(operation) : cellsOfPercentiles(operation)
  if (cells.length === 0) return []
  const highest = computeRange(cells.map(({ density }) => density)).max
  const { place } = timePanel({
    title: `${timeLine.isFromPlan ? 'Response time' : 'Latency'} of ${operation.name} as a heat map (ms)`,
    lines: [
      { label: 'p50', values: operation.p50, colour: 0 },
      { label: 'p99', values: operation.p99, colour: 0 },
      { label: 'maximum', values: operation.max, colour: 0 },
    ],
    scale: 'logarithmic',
    timeLine,
    view,
    isShown: () => true,
    under: heatLayer(cells, timeLine, highest),
    height,
    range: [computeRange(cells.map(({ low }) => low)).min, computeRange(cells.map(({ high }) => high)).max],
  })
  const caption = element('p', { class: 'caption' }, explanations[kept])
  if (kept === 'percentiles') return [place, caption]
  return [place, createKey(highest), caption, heatTable(operation, timeLine)]
}

/** Creates the key to the colours, from few operations to many. */
function createKey(highest: number): HTMLElement {
  const counts = new Set(keyDensities.map((density) => Math.max(1, Math.round(density * highest))))
  const items = [...counts].map((count) => {
    const sample = swatch(() => heatColours()(count / highest))
    return element('span', {}, sample, barNumber(count))
  })
  return element('p', { class: 'key' }, 'Operations in a cell:', ...items)
}

/** The operations of each cell of a heat map. */
function heatTable({ name, histograms }: OperationLine, { step }: TimeLine): HTMLElement {
  const known = histograms.filter(({ length }) => length > 0)
  const first = Math.min(...known.map(([bin = 0]) => bin))
  const end = Math.max(...known.map(([bin = 0, ...counts]) => bin + counts.length))
  const bins = Array.from({ length: end - first }, (_, index) => first + index)
  const header = [
    'Second',
    ...bins.map((bin) => `${barNumber(binStartMs(bin))} to ${barNumber(binStartMs(bin + 1))} ms`),
  ]
  return valuesTable(`Latencies of ${name} over time: operations`, header, () =>
    histograms.map(([from = 0, ...counts], index) => [
      barNumber(index * step),
      ...bins.map((bin) => countText(counts[bin - from] ?? 0)),
    ]),
  )
}

const countText = (count: number): string => (count === 0 ? '' : barNumber(count))

/** Wider cells have a gap of a pixel between them. */
const widthWithGap = 8

/**
 * Draws cells on a chart. Drawn anew only where its axes have changed: an hour has tens of thousands of cells, and each move of
 * the pointer draws the chart.
 * @param highest The highest density.
 */
function heatLayer(cells: readonly HeatCell[], timeLine: TimeLine, highest: number): (chart: Chart) => void {
  const layer = element('canvas')
  let drawnFor = ''
  return ({ id, ctx, chartArea, scales, currentDevicePixelRatio: ratio }) => {
    const [x, y, brush] = [scales['x'], scales['y'], layer.getContext('2d')]
    if (x === undefined || y === undefined || brush === null) return
    const [left, top] = [Math.round(chartArea.left), Math.round(chartArea.top)]
    const wanted = [id, x.min, x.max].join(' ')
    if (wanted !== drawnFor) {
      drawnFor = wanted
      Object.assign(layer, { width: chartArea.width * ratio, height: chartArea.height * ratio })
      brush.scale(ratio, ratio)
      brush.translate(-left, -top)
      drawCells(brush, { x, y }, { cells, timeLine, highest })
    }
    ctx.drawImage(layer, left, top, layer.width / ratio, layer.height / ratio)
  }
}

// Between cells that touch within a pixel, the ground would shine through.
const toPixel = (axis: Scale, value: number): number => Math.round(axis.getPixelForValue(value))

type Drawn = { readonly cells: readonly HeatCell[]; readonly timeLine: TimeLine; readonly highest: number }

function drawCells(
  brush: CanvasRenderingContext2D,
  { x, y }: { readonly x: Scale; readonly y: Scale },
  { cells, timeLine: { step, end }, highest }: Drawn,
): void {
  const colourOf = heatColours()
  for (const { index, low, high, density } of cells) {
    const left = toPixel(x, index * step)
    const width = toPixel(x, Math.min(end, (index + 1) * step)) - left
    const top = toPixel(y, high)
    brush.fillStyle = colourOf(density / highest)
    brush.fillRect(left, top, Math.max(1, width > widthWithGap ? width - 1 : width), Math.max(1, toPixel(y, low) - top))
  }
}

const steps = 32

/** Few slow operations are to be seen beside thousands of fast ones: a quarter of the highest density has half of its strength. */
const exponent = 2

/** Densities from low to high, as parts of the highest one, whose colours are equally far from each other. */
const keyDensities: readonly number[] = [0, 0.25, 0.5, 0.75, 1].map((strength) => strength ** exponent)

/** A function from densities, as parts of the highest one, to colours of the theme that is shown. */
function heatColours(): (density: number) => string {
  const { areas, series, ink } = currentLook()
  const [low = ink, middle = ink] = [areas[0], series[0]]
  const high = mixed(middle, ink, 0.6)
  // A canvas reads each text of a colour once, so there are few.
  const colours = Array.from({ length: steps + 1 }, (_, step) => {
    const strength = (2 * step) / steps
    return strength < 1 ? mixed(low, middle, strength) : mixed(middle, high, strength - 1)
  })
  return (density) => colours[Math.round(density ** (1 / exponent) * steps)] ?? high
}

const mixed = (one: string, other: string, share: number): string =>
  `color-mix(in oklab, ${one}, ${other} ${Math.round(share * 100)}%)`

/** A range of latencies in one step of time, and how many operations it has for its height. */
type HeatCell = { readonly index: number; readonly low: number; readonly high: number; readonly density: number }

/** The bins with operations. */
const cellsOfHistograms = ({ histograms }: OperationLine): readonly HeatCell[] =>
  histograms.flatMap(([first = 0, ...counts], index) =>
    counts.flatMap((density, offset) => {
      const bin = first + offset
      return density === 0 ? [] : [{ index, low: binStartMs(bin), high: binStartMs(bin + 1), density }]
    }),
  )

const shares = [0.5, 0.49, 0.01] as const

/** Up to the median, to the p99, and to the maximum: all that older results keep of a second. */
const cellsOfPercentiles = ({ ok, p50, p99, max, minMs }: OperationLine): readonly HeatCell[] =>
  ok.flatMap((rate, index) => {
    const [median, tail, highest] = [p50[index] ?? null, p99[index] ?? null, max[index] ?? null]
    if (rate === null || median === null || tail === null || highest === null) return []
    const edges = [Math.min(minMs || median / 2, median), median, tail, highest]
    return shares.flatMap((share, part) => {
      const [low = 0, high = 0] = edges.slice(part)
      // A narrow range would be stronger than anything else.
      const decades = Math.max(0.05, Math.log10(high / low))
      return low > 0 && high > low ? [{ index, low, high, density: (share * rate) / decades }] : []
    })
  })
