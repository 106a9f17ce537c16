import { createDrawing } from '../../src/report/charts/drawing/drawing-of.ts'
import { type Drawing } from '../../src/report/charts/drawing/drawing.ts'
import { type ReportChart } from '../../src/report/charts/report-chart.ts'
import { fail } from './fail.ts'

/** A chart laid out in light colours. */
export const inLight = (chart: ReportChart | null | undefined): Drawing =>
  createDrawing(chart ?? fail('no chart'), 'light')
