import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { wholeNumber } from '../options/arguments.ts'
import { baselineOptions, baselinesOption, strictRunOption } from '../options/comparison-options.ts'
import { addOptions, collect, type Flags, option } from '../options/option.ts'
import { quietly, quietOption, reportFormatOption } from '../options/output-options.ts'
import { agentsOptions } from '../options/queue-option.ts'
import { replayOptions } from '../options/replay-options.ts'

const options = [
  option('--only <commands>', 'replay only these commands, such as find,aggregate, and what continues their cursors'),
  ...replayOptions,
  option('--uri <uri>', 'replay on this server (default: a new one)'),
  option('--allow-remote', 'allow a server on another machine'),
  option('--allow-writes', 'send writes to a server that mongo-perf did not start: they change its data'),
  ...agentsOptions,
  option('--mongod <path>', 'the mongod to start'),
  option('--set <path=value>', 'set a part of the target, such as target.server.cacheGB=0.25 (repeatable)', collect),
  option('--repeat <n>', 'replay n times; cells show the runs together', wholeNumber()),
  option('--threshold <text>', 'what must hold, such as "replay.p99Ratio < 1.2" (repeatable)', collect),
  ...baselineOptions,
  baselinesOption,
  strictRunOption,
  option('--out <folder>', 'where to write the result, in its own folder; an earlier one is kept there in "previous"', {
    default: 'mongo-perf-results',
  }),
  reportFormatOption,
  quietOption,
]

export type ReplayFlags = Flags<typeof options>

export function replayCommand(cli: CliContext): Command {
  const command = new Command('replay')
    .description('Send the calls of a recording again, and compare latencies and replies with the recorded ones')
    .argument('<recording>', 'the file that `mongo-perf record` wrote')
  return addOptions(command, options).action(async (file: string, flags: ReplayFlags, program: Command) => {
    const { replayRecording } = await import('../actions/replay.ts')
    await replayRecording(file, flags, quietly(cli, program))
  })
}
