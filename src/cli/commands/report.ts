import { Command } from 'commander'
import { type Format, formatOption } from '../print-reports.ts'
import { referenceOption } from '../reference-option.ts'
import { type World } from '../world.ts'

type ReportFlags = {
  readonly out?: string
  readonly into?: string
  readonly format: Format
  readonly reference?: boolean
}

export function reportCommand(world: World): Command {
  return new Command('report')
    .description('Make markdown, CSV and charts again from results')
    .argument('<results...>', 'result.json files')
    .option('--out <folder>', 'where to write, each report in a folder of its spec (default: beside each result)')
    .option('--into <file>', 'put the reports into this Markdown document; what people wrote there stays')
    .addOption(formatOption())
    .addOption(referenceOption())
    .action(async (files: readonly string[], { out, into, format, reference = false }: ReportFlags) => {
      const [{ gatherResults }, { makeReport }, { writeReport }, { createReportPrinter }, { openDocument }] =
        await Promise.all([
          import('../gather-results.ts'),
          import('../make-report.ts'),
          import('../write-report.ts'),
          import('../print-reports.ts'),
          import('../into-document.ts'),
        ])
      const results = await gatherResults(files, { out, into })
      const document = into === undefined ? undefined : await openDocument(into, world, { reference })
      const printer = createReportPrinter(format, files.length, world)
      for (const { file, result, folder } of results) {
        const report = makeReport(result, { reference }, world)
        printer.add(report)
        const written = await writeReport(report, folder)
        world.tell(`written to ${folder}: ${written.join(', ')}\n`)
        await document?.add(result, { result: file, charts: folder })
      }
      printer.end()
    })
}
