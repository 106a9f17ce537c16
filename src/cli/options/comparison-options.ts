import { InvalidArgumentError } from 'commander'
import { type CompareOptions } from '../../report/comparison/compare-results.ts'
import { type DifferenceName, differenceNames } from '../../report/comparison/difference-names.ts'
import { aboveZero } from './arguments.ts'
import { collect, type Flags, option } from './option.ts'
import { comparisonFormatOption } from './output-options.ts'

const strictText = 'also end with exit code 5 where a metric has no clear verdict or is missing on one side'

export const comparisonOptions = [
  option(
    '--measure <address>',
    'compare this instead of work per operation, throughput, p99 and CPU per operation, such as "findOne.p50Ms" (repeatable)',
    collect,
  ),
  option('--smallest-effect <percent>', 'ignore differences below this', { parse: aboveZero, default: 2 }),
  option(
    '--difference <what>',
    `the intended difference (others are refused): ${differenceNames.join(', ')} (repeatable)`,
    difference,
  ),
  option('--strict', strictText),
  option('--html <file>', 'write the verdicts, and the reports of A and B beside each other, to one HTML file'),
  comparisonFormatOption,
]

/** Converts the options to those of a comparison. */
export const toCompareOptions = ({
  measure,
  smallestEffect,
  difference: differences,
}: Flags<typeof comparisonOptions>): CompareOptions => ({
  measures: measure,
  smallestEffect: smallestEffect / 100,
  differences,
})

function difference(word: string, earlier: readonly DifferenceName[] = []): readonly DifferenceName[] {
  const name = differenceNames.find((known) => known === word)
  if (name !== undefined) return [...earlier, name]
  throw new InvalidArgumentError(`It must be one of ${differenceNames.join(', ')}.`)
}

export const baselinesOption = option(
  '--baselines <folder>',
  'where baselines and their histories are, to be committed',
  { default: 'mongo-perf-baselines' },
)

/** The options of all runs on the baseline of their result. */
export const baselineOptions = [
  option('--baseline <name>', 'compare with this baseline; exit code 5 where the result is worse'),
  option('--save-baseline <name>', 'save the result as this baseline, and add it to its history'),
]

/** The option `--strict` of runs, which judge thresholds too. */
export const strictRunOption = option('--strict', `${strictText}, and where a threshold was not judged`)

/** The options of `run` on what its result is compared with, and on where it is kept. */
export const keepOptions = [
  ...baselineOptions,
  option('--save-history <name>', 'add the result to the history beside this baseline'),
  option(
    '--save <uri>',
    'add the result to a collection: mongodb://host/database.collection, or the variable that holds this URI',
  ),
  baselinesOption,
  strictRunOption,
]

export type BaselineFlags = Flags<typeof keepOptions>
