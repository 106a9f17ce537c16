import { type Chart } from 'chart.js'
import { type Look } from '../report/charts/drawing/look.ts'
import { type OperationLine, type TimeLine } from '../report/html/page-data.ts'
import { choice, element } from './element.ts'
import { timePanel } from './time-panel.ts'
import { type TimeWindow } from './time-window.ts'

const explanation =
  'A second has three shades: the fastest half of its operations, those from the median to the p99, and the slowest 1 %. The darker, the more operations for the height. Results keep no more of each second than p50, p99 and maximum; the lower end is the minimum of the whole phase.'

/** Latencies over time as shades, of one operation at a time. */
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
  place.append(...(select === null ? [] : [select]), panels, element('p', { class: 'caption' }, explanation))
  show(0)
  return place
}

/** A range of latencies in one second, and how dense it is. */
type Cell = { readonly index: number; readonly low: number; readonly high: number; readonly density: number }

const shares = [0.5, 0.49, 0.01] as const

function cellsOf({ ok, p50, p99, max, minMs }: OperationLine): readonly Cell[] {
  return ok.flatMap((rate, index) => {
    const [median, tail, highest] = [p50[index] ?? null, p99[index] ?? null, max[index] ?? null]
    if (rate === null || median === null || tail === null || highest === null) return []
    const edges = [Math.min(minMs || median / 2, median), median, tail, highest]
    return shares.flatMap((share, part) => {
      const [low = 0, high = 0] = edges.slice(part)
      // A narrow range would be darker than anything else.
      const decades = Math.max(0.05, Math.log10(high / low))
      return low > 0 && high > low ? [{ index, low, high, density: (share * rate) / decades }] : []
    })
  })
}

function panelOf(operation: OperationLine, timeLine: TimeLine, view: TimeWindow): readonly HTMLElement[] {
  const cells = cellsOf(operation)
  if (cells.length === 0) return []
  const densest = Math.max(...cells.map(({ density }) => density))
  const under = (chart: Chart, look: Look): void => {
    const { ctx, chartArea, scales } = chart
    const [x, y] = [scales['x'], scales['y']]
    if (x === undefined || y === undefined) return
    ctx.save()
    ctx.beginPath()
    ctx.rect(chartArea.left, chartArea.top, chartArea.right - chartArea.left, chartArea.bottom - chartArea.top)
    ctx.clip()
    ctx.fillStyle = look.series[0] ?? look.ink
    for (const { index, low, high, density } of cells) {
      const left = x.getPixelForValue(index * timeLine.step)
      const right = x.getPixelForValue(Math.min(timeLine.end, (index + 1) * timeLine.step))
      const [top, bottom] = [y.getPixelForValue(high), y.getPixelForValue(low)]
      ctx.globalAlpha = 0.12 + 0.88 * Math.sqrt(density / densest)
      ctx.fillRect(left, top, Math.max(1, right - left - 0.5), Math.max(1, bottom - top))
    }
    ctx.restore()
  }
  const panel = timePanel({
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
    under,
    range: cells.flatMap(({ low, high }) => [low, high]),
  })
  return [panel.place]
}
