import { type ReportChart } from '../report-chart.ts'
import { createDrawing } from './drawing-of.ts'
import { type Theme } from './look.ts'

/**
 * Draws a chart as a PNG of twice its logical size, with chartjs-node-canvas if it is installed. Chart.js and its canvas are loaded for the first
 * one: most reports are read as text.
 * @param theme Default "light".
 */
export async function drawChart(chart: ReportChart, theme: Theme = 'light'): Promise<Buffer> {
  const { drawPng } = await import('./png.ts')
  return drawPng(createDrawing(chart, theme))
}
