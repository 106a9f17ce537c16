import type * as canvasModule from '@napi-rs/canvas'
import { Chart, type ChartConfiguration, registerables } from 'chart.js'
import { shippedPath } from '../../../package-root.ts'
import { type Drawing } from './drawing.ts'
import { indexedPng } from './indexed-png.ts'
import { withPlugins } from './with-plugins.ts'

const fontName = 'mongo-perf sans'
const fonts = ['Inter-Regular.otf', 'Inter-SemiBold.otf'].map((file) => shippedPath('fonts', file))

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
  const configuration = withPlugins(drawing)
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
  const png = indexedPng(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height))
  chart.destroy()
  return png
}

async function drawWith(
  { ChartJSNodeCanvas }: NodeCanvasModule,
  { width, height, look }: Drawing,
  configuration: ChartConfiguration,
): Promise<Buffer> {
  const canvas = new ChartJSNodeCanvas({ width, height, backgroundColour: look.ground })
  try {
    for (const path of fonts) canvas.registerFont(path, { family: fontName })
  } catch {
    // With npm overrides its canvas is @napi-rs/canvas, which has no such method and shares the registered fonts.
    await registerFonts()
  }
  return canvas.renderToBufferSync(configuration)
}

async function registerFonts(): Promise<void> {
  const { GlobalFonts } = await loadCanvas()
  if (GlobalFonts.has(fontName)) return
  for (const path of fonts) GlobalFonts.registerFromPath(path, fontName)
}

async function optionalNodeCanvas(): Promise<NodeCanvasModule | null> {
  const name = 'chartjs-node-canvas'
  try {
    return (await import(name)) as NodeCanvasModule
  } catch {
    return null
  }
}
