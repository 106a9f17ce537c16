import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { baselinesOption, comparisonOptions } from '../options/comparison-options.ts'
import { addOptions, type Flags, option } from '../options/option.ts'

const options = [
  option('--baseline <name>', 'compare with this baseline, which is A then; the argument is B'),
  baselinesOption,
  ...comparisonOptions,
  option('--out <folder>', 'write the comparison as text, as HTML and as a chart of its intervals to this folder'),
]

export type CompareFlags = Flags<typeof options>

export function compareCommand(cli: CliContext): Command {
  const command = new Command('compare')
    .description('Compare results: whether B is better or worse than A, or not decided')
    .argument('<A>', 'a result.json, or a folder of results')
    .argument('[B]', 'the same, for the other side; rows and specs are matched by their names')
  return addOptions(command, options).action(async (a: string, b: string | undefined, flags: CompareFlags) => {
    const { compare } = await import('../actions/compare.ts')
    await compare(a, b, flags, cli)
  })
}
