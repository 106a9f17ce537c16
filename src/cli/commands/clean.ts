import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { addOptions, type Flags, option } from '../options/option.ts'

const options = [
  option('--uri <uri>', 'drop what killed runs left on this server, and list the databases that runs made there'),
]

export function cleanCommand(cli: CliContext): Command {
  const command = new Command('clean').description(
    'Stop servers that killed runs left behind, remove their data, and drop or list what they left on other servers',
  )
  return addOptions(command, options).action(async ({ uri }: Flags<typeof options>) => {
    const { clean } = await import('../actions/clean.ts')
    await clean(uri, cli)
  })
}
