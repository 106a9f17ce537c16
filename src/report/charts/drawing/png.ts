import type * as canvasModule from '@napi-rs/canvas'
import { Chart, type ChartConfiguration, registerables } from 'chart.js'
import { Problem } from '../../../core/errors.ts'
import { shippedPath } from '../../../core/package-root.ts'
import { type Drawing } from './drawing.ts'
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

type Canvas = typeof canvasModule

/** The packages that draw, loaded only to draw: everything else works on machines where their native parts are missing. */
export type Canvases = {
  /** Optional, and used where it is installed. */
  readonly nodeCanvas: () => Promise<NodeCanvasModule>
  readonly canvas: () => Promise<Canvas>
}

const optionalPackage = 'chartjs-node-canvas'
const installed: Canvases = {
  nodeCanvas: () => import(optionalPackage) as Promise<NodeCanvasModule>,
  canvas: () => import('@napi-rs/canvas'),
}

/**
 * Draws a chart as a PNG of twice its logical size, with chartjs-node-canvas if it is installed and works.
 * @throws {Problem} "no-canvas" where none of the packages can be loaded.
 */
export async function drawPng(drawing: Drawing, canvases: Canvases = installed): Promise<Buffer> {
  try {
    return await drawWith(await canvases.nodeCanvas(), drawing, canvases)
  } catch {
    // Not installed, or its native part is of another system or version of Node.js, which shows only when it draws.
    return drawAlone(await loadCanvas(canvases), drawing)
  }
}

async function loadCanvas({ canvas }: Canvases): Promise<Canvas> {
  try {
    return await canvas()
  } catch (error) {
    throw new Problem('no-canvas', 'charts cannot be drawn: the native part of @napi-rs/canvas does not load', {
      hint: 'Reinstall on this system, without --omit=optional: `npm ci`. Until then report.html shows the charts, and no PNG is written.',
      cause: error,
    })
  }
}

function drawAlone(canvasPackage: Canvas, drawing: Drawing): Buffer {
  registerFonts(canvasPackage)
  const canvas = canvasPackage.createCanvas(drawing.width, drawing.height)
  // Chart.js expects the canvas of a browser; this one has the same methods.
  const chart = new Chart(canvas as unknown as ConstructorParameters<typeof Chart>[0], withPlugins(drawing))
  const png = canvas.toBuffer('image/png')
  chart.destroy()
  return png
}

async function drawWith(
  { ChartJSNodeCanvas }: NodeCanvasModule,
  drawing: Drawing,
  { canvas: load }: Canvases,
): Promise<Buffer> {
  const { width, height, look } = drawing
  const canvas = new ChartJSNodeCanvas({ width, height, backgroundColour: look.ground })
  try {
    for (const path of fonts) canvas.registerFont(path, { family: fontName })
  } catch {
    // With npm overrides its canvas is @napi-rs/canvas, which has no such method and shares the registered fonts.
    registerFonts(await load())
  }
  return canvas.renderToBufferSync(withPlugins(drawing))
}

function registerFonts({ GlobalFonts }: Canvas): void {
  if (GlobalFonts.has(fontName)) return
  for (const path of fonts) GlobalFonts.registerFromPath(path, fontName)
}
