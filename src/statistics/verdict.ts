import {
  type Estimate,
  computeHalfWidth,
  computeInterval,
  type MeasuredRatio,
  minRounds,
  computePValue,
} from './estimate.ts'
import { criticalValueOfT } from './student-t.ts'
import { type Finding, formatFinding } from './verdict-text.ts'

/** One row of a comparison: a measure of A and B. */
export type ComparisonRow = {
  readonly estimate: Estimate
  /** Direction of better values: higher for throughput, lower for latency. */
  readonly better: 'higher' | 'lower'
}

export type Rules = {
  /** A part of A, above 0: 0.02, the default, is 2 %. Downwards it is the reverse, 1 / 1.02, so that B against A is the mirror image of A against B. */
  readonly smallestEffect: number
  /** Above 0 and below 1, by default 0.05: how often a comparison, all its rows together, may see a difference where there is none. */
  readonly errorRate: number
}

/** The rules where none are given. */
export const defaultRules: Rules = { smallestEffect: 0.02, errorRate: 0.05 }

/** A finding, and the clause that says it: prose cannot say more than the figures. */
export type ComparisonVerdict = Finding & { readonly text: string }

/**
 * The verdicts of a comparison, in the order of its rows.
 *
 * Over all rows together, a difference is claimed where there is none at most as often as the error rate says (Holm's correction), and so is "the
 * same" where the effect is not below the smallest one. Rows that have too few rounds yet count as rows.
 * @param rows None is allowed.
 * @param rules Those not given are `defaultRules`.
 * @throws {RangeError} Rules outside of their ranges.
 */
export function computeVerdicts(
  rows: readonly ComparisonRow[],
  rules: Partial<Rules> = {},
): readonly ComparisonVerdict[] {
  const all = validated({ ...defaultRules, ...rules })
  const different = holm(rows.map(({ estimate }) => pValueOfNoDifference(estimate)))
  const same = holm(rows.map(({ estimate }) => pValueOfDifference(estimate, all)))
  const undecided = different.filter((p) => p > all.errorRate).length
  return rows.map((row, i) => {
    const significant = { different: isAtMost(different[i], all), same: isAtMost(same[i], all) }
    const finding = createFinding(row, significant, { ...all, level: all.errorRate / Math.max(1, undecided) })
    return { ...finding, text: formatFinding(finding) }
  })
}

/** Whether no row can become clearer. Where rows are `sequentialRatio`s, rounds may be added until it is true. */
export function isClear(verdicts: readonly ComparisonVerdict[]): boolean {
  return verdicts.every(({ kind }) => kind !== 'cannot tell' && kind !== 'no verdict')
}

function validated(rules: Rules): Rules {
  const { smallestEffect, errorRate } = rules
  if (!(smallestEffect > 0 && smallestEffect < Infinity))
    throw new RangeError(`The smallest effect is above 0 and finite, not ${smallestEffect}`)
  if (!(errorRate > 0 && errorRate < 1)) throw new RangeError(`The error rate is above 0 and below 1, not ${errorRate}`)
  return rules
}

const isAtMost = (p: number | undefined, { errorRate }: Rules): boolean => p !== undefined && p <= errorRate

function pValueOfNoDifference(estimate: Estimate): number {
  return estimate.kind === 'too few rounds' ? 1 : computePValue(estimate, 0)
}

/** Two one-sided tests, each with half of the error rate: at or below it exactly where the whole interval lies within the smallest effect. */
function pValueOfDifference(estimate: Estimate, { smallestEffect }: Rules): number {
  const limit = Math.log1p(smallestEffect)
  if (estimate.kind === 'too few rounds' || Math.abs(estimate.logRatio) >= limit) return 1
  return Math.max(computePValue(estimate, limit), computePValue(estimate, -limit))
}

type Significant = { readonly different: boolean; readonly same: boolean }
/** The level is the one at which Holm's correction stopped, and at which an undecided row was judged. */
type RulesAtLevel = Rules & { readonly level: number }

function createFinding({ estimate, better }: ComparisonRow, significant: Significant, rules: RulesAtLevel): Finding {
  if (estimate.kind === 'too few rounds')
    return { kind: 'no verdict', moreRounds: (estimate.needed ?? minRounds) - estimate.rounds }
  const pairing = estimate.kind === 'unpaired' ? 'unpaired' : 'paired'
  const measured = { pairing, interval: computeInterval(estimate, rules.errorRate) } as const
  if (significant.same) return { kind: 'same', within: rules.smallestEffect, ...measured }
  if (significant.different && Math.abs(estimate.logRatio) >= Math.log1p(rules.smallestEffect)) {
    const kind = estimate.logRatio > 0 ? 'higher' : 'lower'
    return { kind, effect: kind === better ? 'better' : 'worse', ...measured }
  }
  return { kind: 'cannot tell', couldHaveSeen: detectableEffect(estimate, rules), ...measured }
}

/** The convention of J. Cohen, "Statistical Power Analysis for the Behavioral Sciences", 1988. */
const power = 0.8

/**
 * The effect that is found with a probability of `power`: (t₁ + t₂) standard errors, as in G. W. Snedecor and W. G. Cochran, "Statistical Methods".
 * The first are those that an estimate has to exceed, the second those by which it then falls short in the rest of the cases.
 */
function detectableEffect(estimate: MeasuredRatio, { smallestEffect, level }: RulesAtLevel): number {
  const toExceed = Math.max(Math.log1p(smallestEffect), computeHalfWidth(estimate, level))
  const spare = estimate.standardError * criticalValueOfT(2 * (1 - power), estimate.degreesOfFreedom)
  return Math.expm1(toExceed + spare)
}

/**
 * Adjusts the p values of a family of tests: those at or below α afterwards include a wrong one with a probability of at most α, however the
 * tests depend on each other. Formula: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979.
 * @param pValues 0 to 1 each, in any order; none is allowed.
 * @returns In the order given, 0 to 1 each, never below what was given.
 */
export function holm(pValues: readonly number[]): readonly number[] {
  const adjusted: number[] = []
  let greatest = 0
  const ascending = pValues.map((p, index) => ({ p, index })).toSorted((one, other) => one.p - other.p)
  for (const [rank, { p, index }] of ascending.entries()) {
    greatest = Math.max(greatest, Math.min(1, (pValues.length - rank) * p))
    adjusted[index] = greatest
  }
  return adjusted
}
