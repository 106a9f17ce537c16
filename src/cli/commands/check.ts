import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { addOptions, type Flags, option } from '../options/option.ts'
import { formats } from '../options/output-options.ts'
import { type SpecFlags, specOptions } from '../options/spec-options.ts'

const options = [
  option('--document <file>', 'list the blocks of a document that are older than their results'),
  option('--json', 'print the rows as JSON, with all defaults'),
  option(
    '--format <format>',
    'how findings are printed: "text" is the default, and has the lines that editors read; "github" has annotations',
    { choices: formats, conflicts: ['json'] },
  ),
]

export type CheckFlags = SpecFlags & Flags<typeof options>

export function checkCommand(cli: CliContext): Command {
  const command = new Command('check')
    .description('Validate specs and show what they would do, without a server; or check a document')
    .argument('[specs...]', 'paths of specs, names of shipped ones, or folders of either')
  return addOptions(command, [...options, ...specOptions]).action(
    async (specs: readonly string[], flags: CheckFlags) => {
      const { check } = await import('../actions/check.ts')
      await check(specs, flags, cli)
    },
  )
}
