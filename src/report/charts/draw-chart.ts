import { type Drawing } from './drawing.ts'

/**
 * Draws a chart as a PNG of twice its logical size, with chartjs-node-canvas if it is installed. Chart.js and its canvas are loaded for the first
 * one: most reports are read as text.
 */
export async function drawChart(drawing: Drawing): Promise<Buffer> {
  const { drawPng } = await import('./png.ts')
  return drawPng(drawing)
}
