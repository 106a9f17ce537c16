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

export function abCommand(cli: CliContext): Command {
  const command = new Command('ab')
    .description('Run two sides in turn, and compare them: whether B is slower than A')
    .argument('[spec]', 'the path of a spec or a recording (.mprec), or the name of a shipped spec (`mongo-perf list`)')
    .argument('[other]', 'another spec, for side B')
  return addOptions(command, options).action(
    async (spec: string | undefined, other: string | undefined, flags: AbFlags, program: Command) => {
      const { runAb } = await import('../actions/ab.ts')
      await runAb(spec, other, flags, quietly(cli, program))
    },
  )
}
