import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { addOptions, type Flags, option } from '../options/option.ts'

const options = [
  option(
    '--uri <uri>',
    'the server on which to drop what killed runs have left, and to list the databases that runs made',
  ),
]

export function cleanCommand(cli: CliContext): Command {
  const command = new Command('clean').description(
    'End servers that a killed run has left behind, remove their data, and drop or name what it has left on servers of others',
  )
  return addOptions(command, options).action(async ({ uri }: Flags<typeof options>) => {
    const { clean } = await import('../actions/clean.ts')
    await clean(uri, cli)
  })
}
