import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import {
  baselinesOption,
  type ComparisonFlags,
  toCompareOptions,
  withComparisonOptions,
} from '../options/comparison-options.ts'

type CompareFlags = ComparisonFlags & {
  readonly baseline?: string
  readonly baselines: string
  readonly out?: string
}

/** The command `compare`. */
export function compareCommand(cli: CliContext): Command {
  const command = new Command('compare')
    .description('Compare results: whether B is better or worse than A, or not decided')
    .argument('<A>', 'a result.json, or a folder of results')
    .argument('[B]', 'the same, for the other side; rows and specs are matched by their names')
    .option('--baseline <name>', 'compare with this baseline, which is A then; the argument is B')
    .addOption(baselinesOption())
  return withComparisonOptions(command)
    .option('--out <folder>', 'write the comparison as text, as HTML and as a chart of its intervals to this folder')
    .action(async (a: string, b: string | undefined, flags: CompareFlags) => {
      const { strict = false, out, html, format } = flags
      const [{ compare }, { findSides }] = await Promise.all([
        import('../actions/compare.ts'),
        import('../actions/compare.ts'),
      ])
      await compare(await findSides(a, b, flags), { ...toCompareOptions(flags), strict, out, html, format }, cli)
    })
}
