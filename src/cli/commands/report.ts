import { Command, InvalidArgumentError, Option } from 'commander'
import { type Layout } from '../../report/document/layout.ts'
import { type CliContext } from '../cli-context.ts'
import { layoutOption, referenceOption, type ReportFormat, reportFormatOption } from '../options/output-options.ts'

/** The options of the command, as parsed. */
export type ReportFlags = {
  readonly out?: string
  readonly into?: string
  readonly layout?: Layout
  readonly prose?: string
  readonly html?: string
  readonly columns?: readonly string[]
  readonly spec?: string
  readonly format?: ReportFormat
  readonly reference?: boolean
}

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
    .addOption(layoutOption())
    .option(
      '--prose <folder>',
      'with --into: take the texts of each spec from its file here, such as insert-indexes.md',
    )
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
        .conflicts(['into', 'layout', 'prose', 'spec', 'reference']),
    )
    .option('--spec <spec>', 'show the tables, charts and texts of the "report" part of this spec instead')
    .addOption(reportFormatOption())
    .addOption(referenceOption())
    .action(async (files: readonly string[], flags: ReportFlags) => {
      const { showReports } = await import('../actions/report.ts')
      await showReports(files, flags, cli)
    })
}
