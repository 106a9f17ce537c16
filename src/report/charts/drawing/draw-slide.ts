import { type ReportChart } from '../report-chart.ts'
import { createDrawing } from './drawing-of.ts'
import { type Theme } from './look.ts'

/** How a chart for a slide looks. */
export type SlideLook = {
  /** Default: that of the chart. */
  readonly title?: string | undefined
  /** Width in logical pixels; a PNG has twice as many. Default 1000. */
  readonly width?: number | undefined
  readonly theme: Theme
  readonly isSvg: boolean
}

/**
 * Draws a chart for a slide: as a PNG, or as an SVG whose texts are outlines, so that it looks alike everywhere.
 * @throws {Problem} "no-canvas" where nothing can be drawn.
 */
export async function drawSlide(chart: ReportChart, { title, width, theme, isSvg }: SlideLook): Promise<Buffer> {
  const drawing = createDrawing({ ...chart, title: title ?? chart.title }, theme, width === undefined ? {} : { width })
  const { drawPng, drawSvg } = await import('./png.ts')
  return isSvg ? drawSvg(drawing) : drawPng(drawing)
}

/** The name of the file, beside the image of the report: "throughput-slide.svg". */
export const slideFile = (file: string, { isSvg }: SlideLook): string =>
  file.replace(/(\.\w+)?$/, `-slide.${isSvg ? 'svg' : 'png'}`)
