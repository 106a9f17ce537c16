import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { type Format, formatOption } from '../options/output-options.ts'

/** The options of the command, as parsed. */
export type InspectFlags = { readonly html?: string; readonly format?: Format }

/** The command `inspect`. */
export function inspectCommand(cli: CliContext): Command {
  return new Command('inspect')
    .description('Show what is in a recording of `record`: shapes of calls, rates, latencies, sessions')
    .argument('<file>', 'the recording')
    .option('--html <file>', 'also write it to one HTML file, with all shapes and the rate over time')
    .addOption(formatOption())
    .action(async (file: string, flags: InspectFlags) => {
      const { inspectRecording } = await import('../actions/inspect.ts')
      await inspectRecording(file, flags, cli)
    })
}
