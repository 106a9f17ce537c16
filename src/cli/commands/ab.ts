import { Command, Option } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { duration, wholeNumber } from '../options/arguments.ts'
import { type ComparisonFlags, withComparisonOptions } from '../options/comparison-options.ts'
import { quietly, quietOption } from '../options/output-options.ts'
import { type ReplayWays, withReplayWays } from '../options/replay-options.ts'
import {
  collect,
  freshServersOption,
  type ServerFlags,
  type SpecFlags,
  withPermissions,
  withServerOptions,
  withWorkOptions,
} from '../options/spec-options.ts'

/** The options of the command, as parsed. */
export type AbFlags = ComparisonFlags &
  ReplayWays &
  ServerFlags &
  Omit<SpecFlags, 'servers' | 'facts' | 'threshold' | 'abortOnThreshold'> & {
    readonly index?: string
    readonly allowIndex?: readonly string[]
    readonly query?: string
    readonly sort?: string
    readonly limit?: number
    readonly pipeline?: string
    readonly keep?: readonly string[]
    readonly documents?: number
    readonly a?: readonly string[]
    readonly b?: readonly string[]
    readonly rounds?: number
    readonly untilClear?: boolean
    readonly budget?: number
    readonly seed?: number
    readonly out?: string
    readonly compact?: boolean
    readonly quiet?: boolean
  }

/** The command `ab`. */
export function abCommand(cli: CliContext): Command {
  const command = new Command('ab')
    .description('Run two sides in turn, and compare them: whether B is slower than A')
    .argument('[spec]', 'the path of a spec or a recording (.mprec), or the name of a shipped spec (`mongo-perf list`)')
    .argument('[other]', 'another spec, for side B')
    .option(
      '--a <setting>',
      'what side A alone has: name=value (a parameter), engine:<name>, driver:<package>, functions:<module>, mongod:<path> or uri:<name> (repeatable)',
      collect,
    )
    .option('--b <setting>', 'the same, for side B', collect)
    .option(
      '--index <index>',
      'instead of a spec: what this index would bring a query and cost writes, such as \'shop.orders {"status":1,"at":-1}\'',
    )
    .option('--allow-index <db.coll>', 'allow --index to build it on this collection, hidden, and to drop it', collect)
    .option('--query <filter>', 'with --index: the query, such as \'{"status":"open"}\'')
    .option('--sort <order>', 'order of --query, such as \'{"at":-1}\'')
    .option('--limit <n>', 'maximum number of documents of --query', wholeNumber())
    .addOption(
      new Option('--pipeline <stages>', 'with --index: a pipeline instead of a query').conflicts([
        'query',
        'sort',
        'limit',
      ]),
    )
    .option('--keep <fields>', 'fields of the query whose values stay as you wrote them (repeatable)', collect)
    .option(
      '--documents <n>',
      'with --index: documents to make up for the writes (default: as many as the collection has, if budget and disk allow)',
      wholeNumber(),
    )
    .option(
      '--rounds <n>',
      'rounds of whole runs of both sides (default where alternating stretches are not possible: 10); below 6 there is no verdict',
      wholeNumber(),
    )
    .addOption(
      new Option(
        '--until-clear',
        'add rounds of whole runs until all verdicts are clear, with a test whose error rate holds at all looks',
      ).conflicts('rounds'),
    )
    .addOption(
      new Option(
        '--budget <time>',
        'the time after which no round is added, such as 90s or 10m (default: 60s; with --until-clear 10m)',
      )
        .argParser(duration)
        .conflicts('rounds'),
    )
    .option('--seed <n>', 'the seed of the order of both sides in each round (default: as in the spec)', wholeNumber())
  withReplayWays(withWorkOptions(command).addOption(freshServersOption()))
  withServerOptions(withPermissions(command))
  return withComparisonOptions(command)
    .option('--compact', 'keep small results: no time lines, histograms and single timings')
    .option('--out <folder>', 'where comparison and results go (default: "mongo-perf-results/<file of the spec>-ab")')
    .addOption(quietOption())
    .action(async (spec: string | undefined, other: string | undefined, flags: AbFlags, program: Command) => {
      if (flags.index === undefined) {
        const { runAb } = await import('../actions/ab.ts')
        return await runAb(spec, other, flags, quietly(cli, program))
      }
      const { runAbOfIndex } = await import('../actions/ab-index.ts')
      await runAbOfIndex(flags.index, spec, flags, quietly(cli, program))
    })
}
