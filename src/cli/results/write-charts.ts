import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { drawChart } from '../../report/charts/drawing/draw-chart.ts'
import { themes } from '../../report/charts/drawing/look.ts'
import { imageFile, type ReportChart } from '../../report/charts/report-chart.ts'
import { writeOutput } from '../../results/files/results-file.ts'
import { type CliContext } from '../cli-context.ts'

/** Contexts that were warned that nothing can be drawn here: once a command, not for each of its reports. */
const warned = new WeakSet<object>()

/**
 * Writes the images of charts to a folder, each in every theme, and returns the names of the files. Where nothing can be drawn, there are
 * none, with a warning, and older ones are removed: they would show other figures than the report beside them.
 */
export async function writeCharts(
  charts: readonly ReportChart[],
  folder: string,
  cli: Pick<CliContext, 'printStatus'>,
  draw = drawChart,
): Promise<readonly string[]> {
  const images = charts.flatMap((chart) =>
    themes.map((theme) => ({ chart, theme, name: imageFile(chart.file, theme) })),
  )
  try {
    for (const { chart, theme, name } of images) await writeOutput(join(folder, name), await draw(chart, theme))
    return images.map(({ name }) => name)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'no-canvas') throw error
    for (const { name } of images) await rm(join(folder, name), { force: true })
    if (!warned.has(cli)) cli.printStatus(`warning: ${error.message}\nhint: ${error.hint}\n`)
    warned.add(cli)
    return []
  }
}
