import { join } from 'node:path'
import { drawChart } from '../../report/charts/drawing/draw-chart.ts'
import { themes } from '../../report/charts/drawing/look.ts'
import { imageFile, type ReportChart } from '../../report/charts/report-chart.ts'
import { writeOutput } from '../../results/results-file.ts'

/** Writes the images of charts to a folder, each in every theme, and returns the names of the files. */
export async function writeCharts(charts: readonly ReportChart[], folder: string): Promise<readonly string[]> {
  const images = charts.flatMap((chart) =>
    themes.map((theme) => ({ chart, theme, name: imageFile(chart.file, theme) })),
  )
  for (const { chart, theme, name } of images) await writeOutput(join(folder, name), await drawChart(chart, theme))
  return images.map(({ name }) => name)
}
