import { Command, InvalidArgumentError, Option } from 'commander'
import { type Theme, themes } from '../../report/charts/drawing/look.ts'
import { type Layout } from '../../report/document/layout.ts'
import { type CliContext } from '../cli-context.ts'
import { wholeNumber } from '../options/arguments.ts'
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
  readonly title?: string
  readonly svg?: boolean
  readonly width?: number
  readonly theme?: Theme
}

/** Splits names at commas. */
function columnNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('')) throw new InvalidArgumentError('It must be names with commas between them.')
  return names
}

/** An option of charts for slides, which leave everything else as it is. */
const slideOption = (flags: string, description: string): Option =>
  new Option(flags, description).conflicts(['into', 'html', 'columns', 'format'])

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
    .addOption(slideOption('--svg', 'only draw the charts again, for a slide: as <chart>-slide.svg'))
    .addOption(slideOption('--title <text>', 'only draw the charts again, for a slide: with this title'))
    .addOption(
      slideOption('--width <px>', 'only draw the charts again, for a slide: with this width (default: 1000)').argParser(
        wholeNumber(4000, 400),
      ),
    )
    .addOption(
      slideOption('--theme <theme>', 'only draw the charts again, for a slide: "dark" or "light"').choices(themes),
    )
    .action(async (files: readonly string[], flags: ReportFlags) => {
      const { showReports } = await import('../actions/report.ts')
      await showReports(files, flags, cli)
    })
}
