import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../core/errors.ts'
import { describeShape } from '../../metrics/scope.ts'
import type { Result } from '../../results/schema.ts'
import { defaultRules } from '../../statistics/verdict.ts'
import { answerComparison, sameResult } from './answer.ts'
import type { LeftOut, ResultComparison } from './comparison.ts'
import type { DifferenceName } from './difference-names.ts'
import { findDifferences, refuseOtherwiseDifferent } from './differences.ts'
import { explainDifferences } from './explanations.ts'
import { type PlacedValues, compareFigures, countedFigures, formatAddressTitle } from './figures.ts'
import {
  countTurns,
  describeComparisonLimits,
  determineRoundPairing,
  findPairedSettings,
  unmatchedIn,
} from './limits.ts'
import { defaultMetrics, namedMetrics, refuseUnknownMetrics, workMeasures } from './metrics.ts'
import { type MatchedPair, matchRows, pairResults } from './pair-results.ts'
import { type NoValues, type Values, valuesOfChoice } from './values.ts'

/** Subject of a comparison, and what counts as a difference. */
export type CompareOptions = {
  /**
   * Addresses of the measures, such as "findOne.p99Ms". Default: the work of a call of each operation, the throughput of each phase, the p99
   * of each operation (the median where a run has too few operations for it), and the CPU time of the server per operation.
   */
  readonly measures?: readonly string[] | undefined
  /** The smallest effect that matters, as a part of A. Default 0.02, which is 2 %. */
  readonly smallestEffect?: number | undefined
  /** Differences between A and B that the comparison is about. Default: none. */
  readonly differences?: readonly DifferenceName[] | undefined
}

/**
 * Compares two results, or those of several specs: B against A. The runs of a row are the values. Those of the two sides of `mongo-perf ab` are
 * paired by their rounds. Others were measured at different times, and nothing is paired. In all figures together, a difference that is not
 * there is seen in at most 5 % of comparisons, if the machine was the same at both times.
 * @throws {Problem} "usage" if A and B differ in more than `differences`, have nothing in common, or lack a measure.
 */
export function compareResults(
  a: Result | readonly Result[],
  b: Result | readonly Result[],
  { measures, smallestEffect = defaultRules.smallestEffect, differences: allowed = [] }: CompareOptions = {},
): ResultComparison {
  const { pairs, onlyA, onlyB } = pairResults([a].flat(), [b].flat())
  const differences = pairs.flatMap((pair) => findDifferences(pair.a, pair.b))
  refuseOtherwiseDifferent(differences, allowed)
  const results = pairs.flatMap((pair) => [pair.a, pair.b])
  if (measures !== undefined) refuseUnknownMetrics(measures, results)
  const matched = pairs.map(matchRows)
  const placed = matched.flatMap((pair) => placedValues(pair, measures))
  const leftOut = placed.flatMap((one) => ('kind' in one.values ? createLeftOut(one, one.values) : []))
  const known = placed.flatMap(knownIn)
  const work =
    measures === undefined
      ? countedFigures(matched.flatMap((pair) => placeChoices(pair, workMeasures)).flatMap(knownIn), smallestEffect)
      : []
  if (known.length === 0) throw nothingToCompare(leftOut)
  const figures = compareFigures(known, smallestEffect)
  const unmatched = unmatchedIn(matched, { onlyA, onlyB })
  const limits = describeComparisonLimits({ matched, unmatched, figures, leftOut, differences, allowed })
  const explanations = explainDifferences(matched)
  const rounds = [...new Set(pairs.map(determineRoundPairing))]
  return {
    answer: pairs.every((pair) => isDeepStrictEqual(pair.a, pair.b)) ? sameResult : answerComparison({ work, figures }),
    rounds,
    turns: countTurns(pairs),
    settings: findPairedSettings(pairs),
    work,
    figures,
    leftOut,
    unmatched,
    differences,
    smallestEffect,
    explanations,
    limits,
  }
}

type Placed = { readonly spec: string; readonly row: string; readonly values: Values | NoValues }

const knownIn = ({ values, ...place }: Placed): PlacedValues | readonly [] =>
  'kind' in values ? [] : { ...place, values }

function placedValues(matched: MatchedPair, measures: CompareOptions['measures']): readonly Placed[] {
  const { a, b } = matched
  const named = measures && namedMetrics(measures, a, b)
  return placeChoices(matched, named === undefined ? defaultMetrics : () => named)
}

function placeChoices(matched: MatchedPair, choicesOf: typeof defaultMetrics): readonly Placed[] {
  const { spec, a, b, rows } = matched
  const rounds = determineRoundPairing(matched)
  const roundOf = a.pairing?.turns?.rounds ?? null
  const isOnly = describeShape({ variants: [...a.variants, ...b.variants] }).phases.length === 1
  return rows.flatMap((pair) =>
    choicesOf(pair, isOnly).map((choice) => ({
      spec,
      row: pair.label,
      values: valuesOfChoice(choice, pair, { rounds, roundOf }),
    })),
  )
}

const createLeftOut = ({ spec, row }: Placed, { measure, kind, reason }: NoValues): LeftOut => ({
  spec,
  row,
  title: formatAddressTitle(measure.address),
  kind,
  reason,
})

function nothingToCompare([first]: readonly LeftOut[]): Problem {
  return new Problem('usage', 'There is nothing to compare', {
    hint:
      first === undefined
        ? 'A and B have no row and no measure in common: look at the status and the labels of their rows.'
        : `No measure has enough values on both sides, such as ${[first.row, first.title].filter((text) => text !== '').join(', ')}: ${first.reason}.`,
  })
}
