import { Command, InvalidArgumentError, Option } from 'commander'
import { type DifferenceName, differenceNames } from '../../report/comparison/difference-names.ts'
import { baselinesOption, strictOption } from '../baseline-options.ts'
import { type CompareRequest } from '../compare.ts'
import { type CliContext } from '../cli-context.ts'
import { collect } from '../spec-options.ts'

type CompareFlags = Pick<CompareRequest, 'format'> & {
  readonly measure?: readonly string[]
  readonly smallestEffect: number
  readonly difference?: readonly DifferenceName[]
  readonly strict?: boolean
  readonly baseline?: string
  readonly baselines: string
  readonly out?: string
}

/** Parses a percentage above 0. */
function percentage(text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && number > 0 && number < Infinity) return number
  throw new InvalidArgumentError('It must be a percentage above 0, such as 2.')
}

function difference(word: string, earlier: readonly DifferenceName[] = []): readonly DifferenceName[] {
  const name = differenceNames.find((known) => known === word)
  if (name !== undefined) return [...earlier, name]
  throw new InvalidArgumentError(`It must be one of ${differenceNames.join(', ')}.`)
}

/** The command `compare`. */
export function compareCommand(cli: CliContext): Command {
  return new Command('compare')
    .description('Compare results: whether B is better or worse than A, or not decided')
    .argument('<A>', 'a result.json, or a folder of results')
    .argument('[B]', 'the same, for the other side; rows and specs are matched by their names')
    .option('--baseline <name>', 'compare with this baseline, which is A then; the argument is B')
    .addOption(baselinesOption())
    .option(
      '--measure <address>',
      'compare this instead of throughput, p99 and CPU per operation, such as "findOne.p50Ms" (repeatable)',
      collect,
    )
    .option('--smallest-effect <percent>', 'differences below this do not matter', percentage, 2)
    .option(
      '--difference <what>',
      `what differs because the comparison is about it: ${differenceNames.join(', ')} (repeatable)`,
      difference,
    )
    .addOption(strictOption())
    .option('--out <folder>', 'write the comparison and a chart of its intervals to this folder')
    .addOption(
      new Option('--format <format>', 'what is printed; "github" is the text of a comment on a pull request')
        .choices(['text', 'github', 'json'])
        .default('text'),
    )
    .action(async (a: string, b: string | undefined, flags: CompareFlags) => {
      const { measure, smallestEffect, difference: differences, strict = false, out, format } = flags
      const [{ compare }, { findSides }] = await Promise.all([import('../compare.ts'), import('../find-sides.ts')])
      const request = { measures: measure, smallestEffect: smallestEffect / 100, differences, strict, out, format }
      await compare(await findSides(a, b, flags), request, cli)
    })
}
