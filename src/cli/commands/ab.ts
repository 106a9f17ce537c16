import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { duration, wholeNumber } from '../options/arguments.ts'
import { comparisonOptions } from '../options/comparison-options.ts'
import { addOptions, collect, type Flags, option } from '../options/option.ts'
import { quietly, quietOption } from '../options/output-options.ts'
import { replayOptions } from '../options/replay-options.ts'
import { freshServersOption, permissions, serverOptions, workOptions } from '../options/spec-options.ts'

const options = [
  option(
    '--a <setting>',
    'what side A alone has: name=value (a parameter, or a path such as target.server.cacheGB), engine:<name>, driver:<package>, functions:<module>, mongod:<path> or uri:<name> (repeatable)',
    collect,
  ),
  option('--b <setting>', 'the same, for side B', collect),
  option(
    '--index <index>',
    'instead of a spec: what this index would bring a query and cost writes, such as \'shop.orders {"status":1,"at":-1}\'',
  ),
  option('--allow-index <db.coll>', 'allow --index to build it on this collection, hidden, and to drop it', collect),
  option('--query <filter>', 'with --index: the query, such as \'{"status":"open"}\''),
  option('--sort <order>', 'order of --query, such as \'{"at":-1}\''),
  option('--limit <n>', 'maximum number of documents of --query', wholeNumber()),
  option('--pipeline <stages>', 'with --index: a pipeline instead of a query', {
    conflicts: ['query', 'sort', 'limit'],
  }),
  option('--keep <fields>', 'fields of the query whose values stay as you wrote them (repeatable)', collect),
  option(
    '--documents <n>',
    'with --index: documents to make up for the writes (default: as many as the collection has, if budget and disk allow)',
    wholeNumber(),
  ),
  option(
    '--rounds <n>',
    'rounds of whole runs of both sides (default if the sides cannot take turns: 10); a verdict takes at least 6',
    wholeNumber(),
  ),
  option(
    '--until-clear',
    'add rounds of whole runs until all verdicts are clear, with a test whose error rate holds at all looks',
    { conflicts: ['rounds'] },
  ),
  option(
    '--budget <time>',
    'the time after which no round is added, such as 90s or 10m (default: 60s; with --until-clear 10m)',
    { parse: duration, conflicts: ['rounds'] },
  ),
  option('--seed <n>', 'the seed of the order of both sides in each round (default: as in the spec)', wholeNumber()),
  ...workOptions,
  freshServersOption,
  ...replayOptions,
  ...permissions,
  ...serverOptions,
  ...comparisonOptions,
  option('--compact', 'write small results: no time lines, histograms or single timings'),
  option('--out <folder>', 'where comparison and results go (default: "mongo-perf-results/<file of the spec>-ab")'),
  quietOption,
]

export type AbFlags = Flags<typeof options>

/** The command `ab`. */
export function abCommand(cli: CliContext): Command {
  const command = new Command('ab')
    .description('Run two sides in turn, and compare them: whether B is slower than A')
    .argument('[spec]', 'the path of a spec or a recording (.mprec), or the name of a shipped spec (`mongo-perf list`)')
    .argument('[other]', 'another spec, for side B')
  return addOptions(command, options).action(
    async (spec: string | undefined, other: string | undefined, flags: AbFlags, program: Command) => {
      if (flags.index === undefined) {
        const { runAb } = await import('../actions/ab.ts')
        return await runAb(spec, other, flags, quietly(cli, program))
      }
      const { runAbOfIndex } = await import('../actions/ab-index.ts')
      await runAbOfIndex(flags.index, spec, flags, quietly(cli, program))
    },
  )
}
