import { Command, type Option } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { type Format, formatOption } from '../options/output-options.ts'
import { type SpecFlags, withSpecOptions } from '../options/spec-options.ts'

/** The options of the command, as parsed. */
export type CheckFlags = SpecFlags & { readonly json?: boolean; readonly document?: string; readonly format?: Format }

/** The command `check`. */
export function checkCommand(cli: CliContext): Command {
  const command = new Command('check')
    .description('Validate specs and show what they would do, without a server; or check a document')
    .argument('[specs...]', 'paths of specs, names of shipped ones, or folders of either')
    .option('--document <file>', 'list the blocks of a document that are older than their results')
    .option('--json', 'print the rows as JSON, with all defaults')
    .addOption(checkFormatOption())
  return withSpecOptions(command).action(async (specs: readonly string[], flags: CheckFlags) => {
    const { check } = await import('../actions/check.ts')
    await check(specs, flags, cli)
  })
}

const checkFormatOption = (): Option =>
  formatOption(
    'how findings are printed: "text" is the default, and has the lines that editors read; "github" has annotations',
  ).conflicts('json')
