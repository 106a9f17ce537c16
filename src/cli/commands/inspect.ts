import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { type Format, formatOption } from '../options/output-options.ts'

/** The command `inspect`. */
export function inspectCommand(cli: CliContext): Command {
  return new Command('inspect')
    .description('Show what is in a recording of `record`: shapes of calls, rates, latencies, sessions')
    .argument('<file>', 'the recording')
    .addOption(formatOption())
    .action(async (file: string, { format }: { readonly format?: Format }) => {
      const { inspectRecording } = await import('../actions/inspect.ts')
      await inspectRecording(file, format, cli)
    })
}
