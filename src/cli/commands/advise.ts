import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { duration, percentage, wholeNumber } from '../options/arguments.ts'
import { addOptions, type Flags, option } from '../options/option.ts'
import { formatOption } from '../options/output-options.ts'

const options = [
  option(
    '--data <source>',
    'the data to count on, which a server of its own gets: a folder or an archive of mongodump, or "recorded" for documents made up from the calls',
    { default: 'recorded' },
  ),
  option('--most <n>', 'maximum number of new indexes per collection', { parse: wholeNumber(20), default: 5 }),
  option(
    '--smallest-effect <percent>',
    "the least that an index has to save, in percent of today's work on its collection",
    { parse: percentage, default: 1 },
  ),
  option('--count-only', 'count the work, and do not measure what the indexes bring reads'),
  option('--budget <time>', 'time to measure, such as 90s or 5m', { parse: duration, default: 60 }),
  option('--out <folder>', 'where the measured results go (default: "mongo-perf-results/<recording>-advise")'),
  option(
    '--verify <file>',
    'count and measure an earlier advice again, which --format json wrote; --fail-on is then for what is not in it',
  ),
  option('--html <file>', 'also write the advice to one HTML file'),
  option('--fail-on <what>', 'end with exit code 5 if there is an index to create, to drop, or either', {
    choices: ['create', 'drop', 'any'],
  }),
  option('--sample <n>', 'documents of each collection to look at', { parse: wholeNumber(100_000), default: 1000 }),
  option('--mongod <path>', 'the mongod to start'),
  formatOption,
]

export type AdviseFlags = Flags<typeof options>

/** The command `advise`. */
export function adviseCommand(cli: CliContext): Command {
  const command = new Command('advise')
    .description(
      'Find the indexes that recorded traffic needs, and those that it does not, counted and measured on a copy of the data',
    )
    .argument('<recording>', 'a recording of `record` (.mprec), also one made of a profile or a log')
  return addOptions(command, options).action(async (file: string, flags: AdviseFlags) => {
    const { adviseOnRecording } = await import('../actions/advise.ts')
    await adviseOnRecording(file, flags, cli)
  })
}
