import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { aboveZero } from '../options/arguments.ts'
import { resultsFolder } from '../options/config-file.ts'
import { quietOption } from '../options/output-options.ts'
import {
  collect,
  type ServerFlags,
  type SpecFlags,
  withPermissions,
  withServerOptions,
  withWorkOptions,
} from '../options/spec-options.ts'

/** The options of the command, as parsed. */
export type SizeFlags = SpecFlags &
  ServerFlags & {
    readonly p99?: number
    readonly holds?: readonly string[]
    readonly from?: number
    readonly to?: number
    readonly seconds?: number
    readonly out: string
    readonly quiet?: boolean
  }

/** The command `size`. */
export function sizeCommand(cli: CliContext): Command {
  const command = new Command('size')
    .description('Find the highest rate that a server takes under limits, such as a p99 of 10 ms')
    .argument('[spec]', 'path or name of a spec that measures one phase', 'quickstart')
    .option('--p99 <ms>', 'the limit on the 99th percentile of response times; no call may fail', aboveZero)
    .option('--holds <limit>', 'another limit, such as "findOne.responseP95Ms < 5" (repeatable)', collect)
    .option('--from <rate>', 'calls per second of the first step (default: 100)', aboveZero)
    .option('--to <rate>', 'maximum number of calls per second (default: 50000)', aboveZero)
    .option('--seconds <n>', 'minimum length of a step (default: 5)', aboveZero)
    .option('--out <folder>', 'where the result goes, in a folder "<spec>-size"', resultsFolder)
  return withServerOptions(withPermissions(withWorkOptions(command)))
    .addOption(quietOption())
    .action(async (spec: string, flags: SizeFlags) => {
      const { sizeServer } = await import('../actions/size.ts')
      await sizeServer(spec, flags, cli)
    })
}
