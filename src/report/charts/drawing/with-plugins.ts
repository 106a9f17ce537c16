import { Chart, type ChartConfiguration, type LegendItem, type Scale } from 'chart.js'
import { type Tick } from '../picture.ts'
import { keyWidth } from './draw-key.ts'
import { marksPlugin } from './draw-marks.ts'
import { type Drawing } from './drawing.ts'
import { fillBelow } from './fill-below.ts'

/** A configuration that Chart.js may change, with the functions and plugins that plain data cannot contain. */
export function withPlugins(drawing: Drawing): ChartConfiguration {
  const configuration = structuredClone(drawing.chart) as ChartConfiguration
  reserveKey(configuration, drawing)
  if (drawing.width < narrow) widenPanels(configuration)
  for (const [name, ticks] of Object.entries(drawing.ticks)) fixTicks(configuration, name, ticks)
  Object.assign(configuration.options?.plugins?.legend?.labels ?? {}, { generateLabels: legendLabels(drawing) })
  configuration.plugins = [groundPlugin(drawing), marksPlugin(drawing)]
  return configuration
}

/** An axis without anything, because padding would narrow the title too. */
function reserveKey({ options }: ChartConfiguration, { key, width }: Drawing): void {
  if (key.length === 0) return
  const afterFit = (axis: Scale): void => {
    axis.width = keyWidth(width)
  }
  const room = { position: 'right', grid: { display: false }, border: { display: false }, ticks: { display: false } }
  Object.assign(options?.scales ?? {}, { key: { ...room, afterFit } })
}

/** Width in pixels of a title beside ticks of five characters. */
const panelAxisWidth = 84
const narrow = panelAxisWidth * 8

/** Chart.js gives each of the axes a part of half of the width, also if they are above each other. */
function widenPanels({ options }: ChartConfiguration): void {
  const panels = Object.values(options?.scales ?? {}).filter((axis) => axis !== undefined && 'stack' in axis)
  for (const axis of panels) Object.assign(axis ?? {}, { afterFit: toPanelWidth })
}

function toPanelWidth(axis: Scale): void {
  axis.width = panelAxisWidth
}

function fixTicks({ options }: ChartConfiguration, name: string, ticks: readonly Tick[]): void {
  const axis = options?.scales?.[name]
  if (axis === undefined) return
  const labels = new Map(ticks.map(({ value, label }) => [value, label]))
  axis.afterBuildTicks = (scale: Scale) => {
    scale.ticks = ticks.map(({ value }) => ({ value }))
  }
  Object.assign(axis.ticks ?? {}, { callback: (value: number | string) => labels.get(Number(value)) ?? '' })
}

/** Adds the dashes of lines, which Chart.js drops for point styles, and fills marks even if their first point is hollow. */
const legendLabels =
  ({ look }: Drawing) =>
  (chart: Chart): LegendItem[] => {
    const items = Chart.defaults.plugins.legend.labels.generateLabels(chart)
    for (const item of items) {
      const dataset = chart.data.datasets[item.datasetIndex ?? 0]
      if (item.fillStyle === look.ground) item.fillStyle = String(dataset?.borderColor)
      if (item.pointStyle === 'line' && dataset !== undefined && 'borderDash' in dataset)
        Object.assign(item, { lineDash: dataset.borderDash, lineWidth: 2.5 })
    }
    return items
  }

const groundPlugin = ({ look, areas }: Drawing) => ({
  id: 'mongo-perf-ground',
  beforeDatasetsDraw: (chart: Chart): void => {
    for (const index of areas) fillBelow(chart, index, String(chart.data.datasets[index]?.backgroundColor))
  },
  beforeDraw: ({ ctx, width, height }: Chart): void => {
    ctx.save()
    ctx.fillStyle = look.ground
    ctx.fillRect(0, 0, width, height)
    ctx.restore()
  },
})
