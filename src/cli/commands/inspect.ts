import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { addOptions, type Flags, option } from '../options/option.ts'
import { formatOption } from '../options/output-options.ts'

const options = [
  option('--html <file>', 'also write it to one HTML file, with all shapes and the rate over time'),
  formatOption,
]

export type InspectFlags = Flags<typeof options>

export function inspectCommand(cli: CliContext): Command {
  const command = new Command('inspect')
    .description('Show what is in a recording of `record`: shapes of calls, rates, latencies, sessions')
    .argument('<file>', 'the recording')
  return addOptions(command, options).action(async (file: string, flags: InspectFlags) => {
    const { inspectRecording } = await import('../actions/inspect.ts')
    await inspectRecording(file, flags, cli)
  })
}
