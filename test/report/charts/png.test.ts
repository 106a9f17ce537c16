import { createCanvas, loadImage } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { drawChart } from '../../../src/report/charts/drawing/draw-chart.ts'
import { awayFromLine, betweenAxes } from '../../../src/report/charts/drawing/draw-marks.ts'
import { type Drawing } from '../../../src/report/charts/drawing/drawing.ts'
import { type Canvases, drawPng } from '../../../src/report/charts/drawing/png.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { inLight } from '../../fakes/in-light.ts'
import { storedResult, storedResults } from '../../fakes/stored-results.ts'

async function pixels(png: Buffer): Promise<{ width: number; height: number; data: Uint8ClampedArray }> {
  const image = await loadImage(png)
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  return context.getImageData(0, 0, image.width, image.height)
}

function coloursIn(data: Uint8ClampedArray): ReadonlySet<number> {
  return new Set(new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4))
}

const charts = storedResults.flatMap((name) =>
  createCharts(evaluateReport(storedResult(name))).map((chart) => [`${name}/${chart.file}`, chart] as const),
)

test.each(charts)('%s is a PNG of twice its logical size, and not blank', async (_, chart) => {
  const png = await drawChart(chart)
  const drawing = inLight(chart)
  expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
  const { width, height, data } = await pixels(png)
  expect([width, height]).toEqual([drawing.width * 2, drawing.height * 2])
  expect(coloursIn(data).size).toBeGreaterThan(20)
})

function firstOf(name: string): Drawing {
  const [chart] = createCharts(evaluateReport(storedResult(name)))
  if (chart === undefined) throw new Error(`${name} has no chart`)
  return inLight(chart)
}

async function darkPixels(png: Buffer): Promise<number> {
  return (await pixels(png)).data.filter((value, index) => index % 4 === 0 && value < 80).length
}

test('text is drawn: a chart without its title differs from the one with it', async () => {
  const configuration = firstOf('quickstart')
  const untitled = structuredClone(configuration)
  Object.assign(untitled.chart.options?.plugins?.title ?? {}, { text: [' '] })
  const [with_, without] = await Promise.all([drawPng(configuration), drawPng(untitled)])
  expect(await darkPixels(with_)).toBeGreaterThan((await darkPixels(without)) + 500)
})

test('drawing leaves the configuration as it was, and can be repeated', async () => {
  const configuration = firstOf('hot-document')
  const before = structuredClone(configuration)
  const first = await drawPng(configuration)
  expect(configuration).toEqual(before)
  expect((await drawPng(configuration)).equals(first)).toBe(true)
})

test.each([
  [100, 130],
  [130, 130],
  [300, 300],
  [470, 470],
  [500, 470],
])('a text at %d of an area from 100 to 500 has its middle at %d: beside it are the numbers of axes', (x, middle) =>
  expect(betweenAxes(x, 60, { left: 100, right: 500 })).toBe(middle),
)

const notInstalled = () => Promise.reject(new Error("Cannot find package 'chartjs-node-canvas'"))
const notLoaded = () => Promise.reject(new Error('invalid ELF header'))
const loadCanvas: Canvases['canvas'] = () => import('@napi-rs/canvas')

class Mismatched {
  constructor() {
    throw new Error('The module was compiled against a different Node.js version')
  }
  registerFont(): void {}
  renderToBufferSync(): Buffer {
    return Buffer.alloc(0)
  }
}

class WithoutFonts extends Object {
  registerFont(): void {
    throw new TypeError('registerFont is not a function')
  }
  renderToBufferSync(): Buffer {
    return Buffer.from('drawn by chartjs-node-canvas')
  }
}

test.each<[string, Canvases['nodeCanvas']]>([
  ['does not load', notLoaded],
  ['loads and cannot draw', async () => ({ ChartJSNodeCanvas: Mismatched })],
])('a chartjs-node-canvas that %s is the same as none', async (_, nodeCanvas) => {
  const drawing = firstOf('quickstart')
  const png = await drawPng(drawing, { nodeCanvas, canvas: loadCanvas })
  expect(png.equals(await drawPng(drawing, { nodeCanvas: notInstalled, canvas: loadCanvas }))).toBe(true)
})

const withoutFonts = async () => ({ ChartJSNodeCanvas: WithoutFonts })

test('a chartjs-node-canvas that works draws, with the fonts of the other canvas if it registers none', async () => {
  const png = await drawPng(firstOf('quickstart'), { nodeCanvas: withoutFonts, canvas: loadCanvas })
  expect(png.toString()).toBe('drawn by chartjs-node-canvas')
})

test.each<[string, Canvases['nodeCanvas']]>([
  ['no chartjs-node-canvas', notInstalled],
  ['one whose native part does not match', async () => ({ ChartJSNodeCanvas: Mismatched })],
])(
  'without a canvas that loads, and %s, nothing can be drawn: no bug, and the hint says what to do',
  async (_, nodeCanvas) => {
    const drawn = drawPng(firstOf('quickstart'), { nodeCanvas, canvas: notLoaded })
    const hint = expect.stringContaining('npm ci')
    await expect(drawn).rejects.toMatchObject({ name: 'Problem', code: 'no-canvas', hint })
  },
)

const cannotCreate: Canvases['canvas'] = async () => ({ ...(await loadCanvas()), createCanvas: ofOurs })
function ofOurs(): never {
  throw new RangeError('a bug of ours')
}

test('a mistake in drawing is not blamed on the canvas', async () => {
  const canvases = { nodeCanvas: notInstalled, canvas: cannotCreate }
  await expect(drawPng(firstOf('quickstart'), canvases)).rejects.toThrow(RangeError)
})

const [left, right] = [
  { x: 80, y: 20 },
  { x: 120, y: 20 },
]
const flat = { x: 120, y: 98 }

test.each([
  ['in the middle, where no line rises steeply', [flat], 100],
  ['to the left of a line that rises to the right', [flat, right], 85],
  ['to the right of a line that rises to the left', [left], 115],
  ['in the middle between two that rise', [left, right], 100],
])('the text of a point stands %s', (_, neighbours, middle) =>
  expect(awayFromLine({ x: 100, y: 100 }, neighbours, 15, 10)).toBe(middle),
)
