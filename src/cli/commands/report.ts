import { Command, InvalidArgumentError } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { addOptions, type Flags, option } from '../options/option.ts'
import { layoutOption, referenceOption, reportFormatOption } from '../options/output-options.ts'

const options = [
  option('--out <folder>', 'where to write, each report in a folder of its spec (default: beside each result)'),
  option('--into <file>', 'put the reports into this Markdown document, and print none; what people wrote there stays'),
  layoutOption,
  option('--prose <folder>', 'with --into: take the texts of each spec from its file here, such as insert-indexes.md'),
  option('--html <file>', 'write one HTML file with the reports of all results; other files only with --out'),
  option(
    '--columns <names>',
    'show one table of these instead, such as "docsPerSecond,p99Ms"; files are written only with --out',
    { parse: columnNames, conflicts: ['into', 'layout', 'prose', 'spec', 'reference'] },
  ),
  option('--spec <spec>', 'show the tables, charts and texts of the "report" part of this spec instead'),
  reportFormatOption,
  referenceOption,
]

export type ReportFlags = Flags<typeof options>

/** Splits names at commas. */
function columnNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('')) throw new InvalidArgumentError('It must be names with commas between them.')
  return names
}

export function reportCommand(cli: CliContext): Command {
  const command = new Command('report')
    .description('Make HTML, markdown, CSV and charts again from results')
    .argument('<results...>', 'result.json files')
  return addOptions(command, options).action(async (files: readonly string[], flags: ReportFlags) => {
    const { showReports } = await import('../actions/report.ts')
    await showReports(files, flags, cli)
  })
}
