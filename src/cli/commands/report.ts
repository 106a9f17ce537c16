import { Command, InvalidArgumentError, Option } from 'commander'
import { type Rendered } from '../../report/html/report-html.ts'
import { type OtherReport } from '../actions/report.ts'
import { type CliContext } from '../cli-context.ts'
import { type Format, formatOption, referenceOption } from '../options/output-options.ts'

type ReportFlags = {
  readonly out?: string
  readonly into?: string
  readonly html?: string
  readonly format: Format
  readonly reference?: boolean
} & OtherReport

/** Splits names at commas. */
function columnNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('')) throw new InvalidArgumentError('It must be names with commas between them.')
  return names
}

/** The command `report`. */
export function reportCommand(cli: CliContext): Command {
  return new Command('report')
    .description('Make HTML, markdown, CSV and charts again from results')
    .argument('<results...>', 'result.json files')
    .option('--out <folder>', 'where to write, each report in a folder of its spec (default: beside each result)')
    .option('--into <file>', 'put the reports into this Markdown document; what people wrote there stays')
    .option(
      '--html <file>',
      'write one HTML file with the reports of all results; other files only with --out or --into',
    )
    .addOption(
      new Option(
        '--columns <names>',
        'show one table of these instead, such as "docsPerSecond,p99Ms"; files are written only with --out',
      )
        .argParser(columnNames)
        .conflicts(['into', 'spec', 'reference']),
    )
    .option('--spec <spec>', 'show the tables, charts and texts of the "report" part of this spec instead')
    .addOption(formatOption())
    .addOption(referenceOption())
    .action(async (files: readonly string[], flags: ReportFlags) => {
      const { out, into, html, format, columns, reference = false } = flags
      const [
        { gatherResults },
        { chooseReport },
        { makeReport },
        { writeResultReport },
        { writeHtml },
        { createReportPrinter },
        { openDocument },
      ] = await Promise.all([
        import('../actions/report.ts'),
        import('../actions/report.ts'),
        import('../results/write-report.ts'),
        import('../results/write-report.ts'),
        import('../results/write-report.ts'),
        import('../results/print-reports.ts'),
        import('../results/into-document.ts'),
      ])
      const gathered = await gatherResults(files, { out, into })
      const shown = await chooseReport(flags)
      const results = gathered.map(({ file, result, folder }) => ({ file, result: shown(result), folder }))
      const isShownOnly = html !== undefined || columns !== undefined
      const writesFiles = out !== undefined || into !== undefined || !isShownOnly
      const document = into === undefined ? undefined : await openDocument(into, cli, { reference })
      const printer = createReportPrinter(format, files.length, cli)
      const rendered: Rendered[] = []
      for (const { file, result, folder } of results) {
        const report = makeReport(result, { reference }, cli)
        printer.add(report, result)
        rendered.push({ result, report })
        if (!writesFiles) continue
        const written = await writeResultReport(result, report, folder, cli)
        cli.printStatus(`written to ${folder}: ${written.join(', ')}\n`)
        await document?.add(result, { result: file, charts: folder })
      }
      printer.end()
      if (html === undefined) return
      const { renderedHtml } = await import('../../report/html/report-html.ts')
      await writeHtml(html, renderedHtml(rendered), cli)
    })
}
