import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { aboveZero, duration, wholeNumber } from '../options/arguments.ts'
import { addOptions, collect, type Flags, option } from '../options/option.ts'
import { formatOption } from '../options/output-options.ts'

/** Options of queries that are written by hand. */
export const ofQueries = ['query', 'pipeline', 'sort', 'limit', 'keep', 'index'] as const

const options = [
  option(
    '--query <filter>',
    'instead of a recording: a query on the collection, such as \'{"customer":17}\' (repeatable)',
    collect,
  ),
  option('--sort <order>', 'order of each --query, such as \'{"at":-1}\''),
  option('--limit <n>', 'maximum number of documents of each --query', wholeNumber()),
  option('--pipeline <stages>', 'a pipeline on the collection (repeatable)', collect),
  option('--keep <fields>', 'fields of the queries whose values stay as you wrote them (repeatable)', collect),
  option(
    '--index <index>',
    'with --query or --pipeline: what this index would bring, such as \'{"customer":1,"at":-1}\' or \'{"key":{"at":1},"unique":true}\' (repeatable; default: those that fit the queries)',
    collect,
  ),
  option(
    '--from-profile <db>',
    'instead of a recording: the operations in the profile (system.profile) of this database',
    { conflicts: [...ofQueries] },
  ),
  option(
    '--data <source>',
    'try indexes on a copy of this data: a folder or an archive of mongodump, or "recorded" for documents made up from a recording (the default for a recording without --uri)',
  ),
  option('--uri <uri>', 'the server with the profile; without --data, also the one to try indexes on', collect),
  option('--allow-remote', 'allow a server on another machine'),
  option(
    '--allow-index <db.coll>',
    'without --data: allow hidden indexes on this collection, which are dropped at the end (repeatable)',
    collect,
  ),
  option('--most <n>', 'maximum number of new indexes per collection', { parse: wholeNumber(20), default: 5 }),
  option(
    '--smallest-effect <percent>',
    "the least that an index has to save, in percent of today's work on its collection",
    { parse: aboveZero, default: 1 },
  ),
  option('--count-only', 'count the work, and do not measure what the indexes bring reads'),
  option('--budget <time>', 'time to measure, such as 90s or 5m', { parse: duration, default: 120 }),
  option('--out <folder>', 'where the measured results go (default: "mongo-perf-results/<traffic>-advise")'),
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

export function adviseCommand(cli: CliContext): Command {
  const command = new Command('advise')
    .description(
      'Find the indexes that recorded traffic or a query needs, and those that it does not, counted and measured',
    )
    .argument(
      '[traffic]',
      'a recording (.mprec) of traffic, a profile or a log; a spec; or with --query a collection (db.collection)',
    )
  return addOptions(command, options).action(async (traffic: string | undefined, flags: AdviseFlags) => {
    const { adviseOnTraffic } = await import('../actions/advise.ts')
    await adviseOnTraffic(traffic, flags, cli)
  })
}
