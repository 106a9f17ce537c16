import { type Command, InvalidArgumentError, Option } from 'commander'
import { type CompareOptions } from '../../report/comparison/compare-results.ts'
import { type DifferenceName, differenceNames } from '../../report/comparison/difference-names.ts'
import { type PrintOptions } from '../results/print-comparison.ts'
import { comparisonFormatOption } from './output-options.ts'
import { collect } from './spec-options.ts'

/** How a comparison is made and printed, as parsed. */
export type ComparisonFlags = Pick<PrintOptions, 'format'> & {
  readonly measure?: readonly string[]
  readonly smallestEffect: number
  readonly difference?: readonly DifferenceName[]
  readonly strict?: boolean
  readonly html?: string
}

export function withComparisonOptions(command: Command): Command {
  return command
    .option(
      '--measure <address>',
      'compare this instead of work per call, throughput, p99 and CPU per operation, such as "findOne.p50Ms" (repeatable)',
      collect,
    )
    .option('--smallest-effect <percent>', 'ignore differences below this', percentage, 2)
    .option(
      '--difference <what>',
      `the intended difference (others are refused): ${differenceNames.join(', ')} (repeatable)`,
      difference,
    )
    .addOption(strictOption())
    .option('--html <file>', 'write the verdicts, and the reports of A and B beside each other, to one HTML file')
    .addOption(comparisonFormatOption())
}

/** Converts the options to those of a comparison. */
export const toCompareOptions = ({
  measure,
  smallestEffect,
  difference: differences,
}: ComparisonFlags): CompareOptions => ({
  measures: measure,
  smallestEffect: smallestEffect / 100,
  differences,
})

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

/** The option `--baselines`. */
export const baselinesOption = (): Option =>
  new Option('--baselines <folder>', 'where baselines and their histories are, to be committed').default(
    'mongo-perf-baselines',
  )

const strictText = 'end with exit code 5 also where a figure has no clear verdict, or is missing on one side'

/** The option `--strict`. Runs judge thresholds too. */
export const strictOption = (of?: 'run'): Option =>
  new Option('--strict', of === undefined ? strictText : `${strictText}, and where a threshold was not judged`)

/** The options of `run` on baselines, as parsed. */
export type BaselineFlags = {
  readonly baseline?: string
  readonly saveBaseline?: string
  readonly saveHistory?: string
  /** A URI with a collection, or the variable that holds it. */
  readonly save?: string
  readonly baselines: string
  readonly strict?: boolean
}
