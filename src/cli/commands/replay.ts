import { Command, InvalidArgumentError } from 'commander'
import { type Speed } from '../../traffic/replay/replay-load.ts'
import { type Connections, maxConnections } from '../../traffic/replay/slots.ts'
import { type CliContext } from '../cli-context.ts'
import { aboveZero, duration, wholeNumber } from '../options/arguments.ts'
import { type BaselineFlags, baselinesOption, strictOption } from '../options/comparison-options.ts'
import { quietly, quietOption, type ReportFormat, reportFormatOption } from '../options/output-options.ts'
import { collect } from '../options/spec-options.ts'

/** The options of the command, as parsed. */
export type ReplayFlags = BaselineFlags & {
  readonly speed: Speed
  /** In seconds since the recording began. */
  readonly from?: number
  readonly until?: number
  readonly only?: string
  readonly connections: Connections
  readonly compareDocuments?: boolean
  readonly uri?: string
  readonly allowRemote?: boolean
  readonly allowWrites?: boolean
  readonly mongod?: string
  readonly repeat?: number
  readonly threshold?: readonly string[]
  readonly out: string
  readonly format?: ReportFormat
  readonly quiet?: boolean
}

/** The command `replay`. */
export function replayCommand(cli: CliContext): Command {
  return new Command('replay')
    .description('Send the calls of a recording again, and compare latencies and replies with the recorded ones')
    .argument('<recording>', 'the file that `mongo-perf record` wrote')
    .option('--speed <factor>', 'how many times as fast as recorded, or "max": as fast as they are answered', speed, 1)
    .option(
      '--from <time>',
      'leave out what comes before this, counted from the beginning, such as 90s or 10m',
      duration,
    )
    .option('--until <time>', 'leave out what comes from this time on', duration)
    .option('--only <commands>', 'replay only these commands, such as find,aggregate, and what continues their cursors')
    .option(
      '--connections <n>',
      'a number of connections, or "as-recorded": as many as were in use at the same time',
      connections,
      'as-recorded' as const,
    )
    .option('--compare-documents', 'also compare the documents of replies: where the data is the same')
    .option('--uri <uri>', 'replay on this server (default: a new one, without data)')
    .option('--allow-remote', 'allow a server on another machine')
    .option('--allow-writes', 'send writes to a server that mongo-perf did not start: they change its data')
    .option('--mongod <path>', 'the mongod to start')
    .option('--repeat <n>', 'replay n times; cells show the runs together', wholeNumber())
    .option('--threshold <text>', 'what must hold, such as "replay.p99Ratio < 1.2" (repeatable)', collect)
    .option('--baseline <name>', 'compare with this baseline; exit code 5 where the result is worse')
    .option('--save-baseline <name>', 'save the result as this baseline, and add it to its history')
    .addOption(baselinesOption())
    .addOption(strictOption())
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

function speed(text: string): Speed {
  return text === 'max' ? text : aboveZero(text)
}

function connections(text: string): Connections {
  if (text === 'as-recorded') return text
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0 && number <= maxConnections) return number
  throw new InvalidArgumentError(`It must be "as-recorded" or a whole number from 1 to ${maxConnections}.`)
}
