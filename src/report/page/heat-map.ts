import { rangeOf } from '../../metrics/statistics.ts'
import { barNumber } from '../charts/scales.ts'
import { type OperationLine, type TimeLine } from '../html/page-data.ts'
import { choice, element } from './element.ts'
import { cellsOfHistograms, cellsOfPercentiles } from './heat-cells.ts'
import { heatColours, keyDensities } from './heat-colours.ts'
import { heatLayer } from './heat-layer.ts'
import { heatTable } from './heat-table.ts'
import { onThemeChange } from './theme.ts'
import { timePanel } from './time-panel.ts'
import { type TimeWindow } from './time-window.ts'

const height = 240

const explanations = {
  histograms:
    'A cell counts the operations in one range of latencies: the stronger the colour, the more of them. Two bands, one above the other, are two kinds of operations, such as reads from the cache and reads from disk.',
  percentiles:
    'This result keeps only p50, p99 and maximum of each second. So a second has three shades: the fastest half of its operations, those from the median to the p99, and the slowest 1 %. The stronger the colour, the more operations for the height. The lower end is the minimum of the whole phase.',
} as const

/** Latencies over time, of one operation at a time. */
export function heatMap(timeLine: TimeLine, view: TimeWindow): HTMLElement {
  const place = element('div')
  const panels = element('div')
  const { operations } = timeLine
  const show = (index: number): void => {
    const operation = operations[index]
    if (operation !== undefined) panels.replaceChildren(...panelOf(operation, timeLine, view))
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

function panelOf(operation: OperationLine, timeLine: TimeLine, view: TimeWindow): readonly HTMLElement[] {
  const kept = operation.histograms.length > 0 ? 'histograms' : 'percentiles'
  const cells = kept === 'histograms' ? cellsOfHistograms(operation) : cellsOfPercentiles(operation)
  if (cells.length === 0) return []
  const highest = rangeOf(cells.map(({ density }) => density)).max
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
    range: [rangeOf(cells.map(({ low }) => low)).min, rangeOf(cells.map(({ high }) => high)).max],
  })
  const caption = element('p', { class: 'caption' }, explanations[kept])
  if (kept === 'percentiles') return [place, caption]
  return [place, keyOf(highest), caption, heatTable(operation, timeLine)]
}

/** What the colours are, from few operations to many. */
function keyOf(highest: number): HTMLElement {
  const counts = new Set(keyDensities.map((density) => Math.max(1, Math.round(density * highest))))
  const items = [...counts].map((count) => {
    const swatch = element('span', { class: 'swatch', 'aria-hidden': 'true' })
    const paint = (): void => swatch.style.setProperty('background', heatColours()(count / highest))
    paint()
    onThemeChange(paint)
    return element('span', {}, swatch, barNumber(count))
  })
  return element('p', { class: 'key' }, 'Operations in a cell:', ...items)
}
