import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { wholeNumber } from '../options/arguments.ts'
import { type BaselineFlags, baselinesOption, strictOption } from '../options/comparison-options.ts'
import { quietly, quietOption, type ReportFormat, reportFormatOption } from '../options/output-options.ts'
import { agentsOption, minAgentsOption } from '../options/queue-option.ts'
import { type ReplayWays, withReplayWays } from '../options/replay-options.ts'
import { collect } from '../options/spec-options.ts'

/** The options of the command, as parsed. */
export type ReplayFlags = BaselineFlags &
  ReplayWays & {
    readonly only?: string
    readonly uri?: string
    readonly allowRemote?: boolean
    readonly allowWrites?: boolean
    readonly agents?: string
    readonly minAgents?: number
    readonly mongod?: string
    readonly repeat?: number
    readonly threshold?: readonly string[]
    readonly out: string
    readonly format?: ReportFormat
    readonly quiet?: boolean
  }

/** The command `replay`. */
export function replayCommand(cli: CliContext): Command {
  const command = new Command('replay')
    .description('Send the calls of a recording again, and compare latencies and replies with the recorded ones')
    .argument('<recording>', 'the file that `mongo-perf record` wrote')
    .option('--only <commands>', 'replay only these commands, such as find,aggregate, and what continues their cursors')
  return withReplayWays(command)
    .option('--uri <uri>', 'replay on this server (default: a new one)')
    .option('--allow-remote', 'allow a server on another machine')
    .option('--allow-writes', 'send writes to a server that mongo-perf did not start: they change its data')
    .addOption(agentsOption())
    .addOption(minAgentsOption())
    .option('--mongod <path>', 'the mongod to start')
    .option('--repeat <n>', 'replay n times; cells show the runs together', wholeNumber())
    .option('--threshold <text>', 'what must hold, such as "replay.p99Ratio < 1.2" (repeatable)', collect)
    .option('--baseline <name>', 'compare with this baseline; exit code 5 where the result is worse')
    .option('--save-baseline <name>', 'save the result as this baseline, and add it to its history')
    .addOption(baselinesOption())
    .addOption(strictOption('run'))
    .option(
      '--out <folder>',
      'where the result goes, in a folder of its own; an earlier one is kept in "previous" there',
      'mongo-perf-results',
    )
    .addOption(reportFormatOption())
    .addOption(quietOption())
    .action(async (file: string, flags: ReplayFlags, program: Command) => {
      const { replayRecording } = await import('../actions/replay.ts')
      await replayRecording(file, flags, quietly(cli, program))
    })
}
