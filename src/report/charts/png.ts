import { fileURLToPath } from 'node:url'
import type * as canvasModule from '@napi-rs/canvas'
import { Chart, type ChartConfiguration, type LegendItem, registerables, type Scale } from 'chart.js'
import { marksPlugin } from './draw-marks.ts'
import { type Drawing } from './drawing.ts'
import { fontFamily } from './look.ts'
import { type Tick } from './picture.ts'

const fonts = ['Inter-Regular.otf', 'Inter-SemiBold.otf'].map((file) =>
  fileURLToPath(new URL(`../../../fixtures/fonts/${file}`, import.meta.url)),
)

Chart.register(...registerables)

/** The used part of chartjs-node-canvas. The package is optional, so its types may be missing. */
type NodeCanvas = {
  readonly registerFont: (path: string, options: { readonly family: string }) => void
  readonly renderToBufferSync: (configuration: ChartConfiguration) => Buffer
}
type NodeCanvasModule = {
  readonly ChartJSNodeCanvas: new (options: { width: number; height: number; backgroundColour: string }) => NodeCanvas
}

/** Draws a chart as a PNG of twice its logical size, with chartjs-node-canvas if it is installed. */
export async function drawPng(drawing: Drawing): Promise<Buffer> {
  const nodeCanvas = await optionalNodeCanvas()
  const configuration = drawable(drawing)
  return nodeCanvas === null ? drawAlone(drawing, configuration) : drawWith(nodeCanvas, drawing, configuration)
}

/** Loads native code only to draw, so that everything else works on machines without it. */
const loadCanvas = (): Promise<typeof canvasModule> => import('@napi-rs/canvas')

async function drawAlone({ width, height }: Drawing, configuration: ChartConfiguration): Promise<Buffer> {
  await registerFonts()
  const { createCanvas } = await loadCanvas()
  const canvas = createCanvas(width, height)
  // Chart.js expects the canvas of a browser; this one has the same methods.
  const chart = new Chart(canvas as unknown as ConstructorParameters<typeof Chart>[0], configuration)
  const png = canvas.toBuffer('image/png')
  chart.destroy()
  return png
}

async function drawWith(
  { ChartJSNodeCanvas }: NodeCanvasModule,
  { width, height }: Drawing,
  configuration: ChartConfiguration,
): Promise<Buffer> {
  const canvas = new ChartJSNodeCanvas({ width, height, backgroundColour: 'white' })
  try {
    for (const path of fonts) canvas.registerFont(path, { family: fontFamily })
  } catch {
    // With npm overrides its canvas is @napi-rs/canvas, which has no such method and shares the registered fonts.
    await registerFonts()
  }
  return canvas.renderToBufferSync(configuration)
}

async function registerFonts(): Promise<void> {
  const { GlobalFonts } = await loadCanvas()
  if (GlobalFonts.has(fontFamily)) return
  for (const path of fonts) GlobalFonts.registerFromPath(path, fontFamily)
}

/** A copy that Chart.js may change, with the functions that plain data cannot contain. */
function drawable(drawing: Drawing): ChartConfiguration {
  const configuration = structuredClone(drawing.chart) as ChartConfiguration
  for (const [name, ticks] of Object.entries(drawing.ticks)) fixTicks(configuration, name, ticks)
  Object.assign(configuration.options?.plugins?.legend?.labels ?? {}, { generateLabels: dashedLabels })
  configuration.plugins = [whiteGround, marksPlugin(drawing)]
  return configuration
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

/** Adds the dashes of lines to the legend, which Chart.js drops for point styles. */
function dashedLabels(chart: Chart): LegendItem[] {
  const items = Chart.defaults.plugins.legend.labels.generateLabels(chart)
  for (const item of items) {
    const dataset = chart.data.datasets[item.datasetIndex ?? 0]
    if (item.pointStyle === 'line' && dataset !== undefined && 'borderDash' in dataset)
      Object.assign(item, { lineDash: dataset.borderDash, lineWidth: 2.5 })
  }
  return items
}

const whiteGround = {
  id: 'mongo-perf-ground',
  beforeDraw: ({ ctx, width, height }: Chart): void => {
    ctx.save()
    ctx.fillStyle = 'white'
    ctx.fillRect(0, 0, width, height)
    ctx.restore()
  },
}

async function optionalNodeCanvas(): Promise<NodeCanvasModule | null> {
  const name = 'chartjs-node-canvas'
  try {
    return (await import(name)) as NodeCanvasModule
  } catch {
    return null
  }
}
