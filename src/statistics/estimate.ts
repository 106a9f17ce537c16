import { criticalValueOfT, tailOfT } from './student-t.ts'

/**
 * With fewer rounds no interval is given. Six is the minimum at which the directions alone, if all are the same, can be significant at 5 % (2 × 2⁻⁶ = 3.1 %),
 * so no verdict rests on the form of the noise only.
 */
export const minRounds = 6

/**
 * Rounds of turns are means of several pairs, and each begins with a restart of both sides: this number is enough for an interval of their level, wide as it is.
 * All that differs from start to start, such as where memory lies, is in it: pairs of one start alone do not see that (T. Kalibera and R. Jones,
 * "Rigorous benchmarking in reasonable time", ISMM 2013).
 */
export const minStarts = 3

/** One round: the same measure of both sides, in any unit, above 0. They ran one right after the other, in random order. */
export type Round = { readonly a: number; readonly b: number }

/** Measurement of the ratio B / A, on natural logarithms: an effect and its reverse are the same distance from 0. */
export type MeasuredRatio = {
  /** How the rounds of the two sides belong together; `sequential`: paired, and looked at after every round; `early` and `last`: the looks of `lookedAtRatio`. */
  readonly kind: 'paired' | 'sequential' | 'early' | 'last' | 'unpaired'
  /** ln(B / A). */
  readonly logRatio: number
  /** Standard error of the above. 0 where nothing varied. */
  readonly standardError: number
  /** Degrees of freedom of the standard error; a fraction where the rounds are not paired. */
  readonly degreesOfFreedom: number
  /** Rounds of the side that has fewer; at least `minRounds`, of turns at least `minStarts`. */
  readonly rounds: number
}

/** An estimate of B / A, or how many rounds there are as long as they are too few for one. */
export type Estimate =
  | MeasuredRatio
  /** Needed: `minRounds` unless it says otherwise. */
  | { readonly kind: 'too few rounds'; readonly rounds: number; readonly needed?: number }

/** B / A and the interval around it. */
export type RatioInterval = { readonly ratio: number; readonly low: number; readonly high: number }

/**
 * The ratio of paired rounds: the mean of ln(b) - ln(a), with Student's t.
 *
 * What both sides of a round share cancels: a drift from round to round, a slow state of the machine, the noise that a round inherits from the
 * one before it. What is assumed is that the differences that remain are independent of each other and about normal; as neither side has a fixed
 * place in a round, they are at least symmetric if there is no effect, which keeps the error rate where states change within a round.
 * The number of rounds is fixed before the first one; to look earlier, and to add rounds after a look, there is `sequentialRatio`.
 * @throws {RangeError} A value that is not above 0, or not finite.
 */
export function pairedRatio(rounds: readonly Round[]): Estimate {
  const estimate = estimatePairs(rounds)
  return rounds.length < minRounds ? { kind: 'too few rounds', rounds: rounds.length } : estimate
}

function estimatePairs(rounds: readonly Round[]): MeasuredRatio {
  const { mean, variance } = computeMoments(rounds.map(({ a, b }) => toLogarithm(b) - toLogarithm(a)))
  return {
    kind: 'paired',
    logRatio: mean,
    standardError: Math.sqrt(variance / rounds.length),
    degreesOfFreedom: rounds.length - 1,
    rounds: rounds.length,
  }
}

/**
 * Estimates like `pairedRatio`, from the means of starts: what varies within a start and what varies between starts are both in how they differ, so
 * the interval is that of both levels, with few degrees of freedom where starts are few.
 * @param starts The number of them is fixed before the second one; each has as many pairs as the others.
 * @throws {RangeError} A value that is not above 0, or not finite.
 */
export function startsRatio(starts: readonly Round[]): Estimate {
  if (starts.length < minStarts) return { kind: 'too few rounds', rounds: starts.length, needed: minStarts }
  return estimatePairs(starts)
}

/**
 * Estimates like `pairedRatio`, for rounds that are added until the verdict is clear: p values and intervals hold at all looks together (`always-valid.ts`).
 * To be called again with all rounds so far; the first look is at `minRounds`.
 * @throws {RangeError} A value that is not above 0, or not finite.
 */
export function sequentialRatio(rounds: readonly Round[]): Estimate {
  const estimate = pairedRatio(rounds)
  return estimate.kind === 'paired' ? { ...estimate, kind: 'sequential' } : estimate
}

/** Share of the error rate that all looks before the last one have together. */
const earlyShare = 0.2

/**
 * Estimates like `pairedRatio`, for rounds that end when the verdict is clear or a budget is spent: looks before that share a fifth of the error rate,
 * by the always-valid test, and the last one has the rest, by Student's. Either is wrong with at most its share, so both together keep the rate,
 * if what the budget holds does not depend on what was measured. The last look then needs 1.4 to 1.8 times less than an always-valid test would.
 * The first look is at `minRounds`.
 * @param look The last one only where the budget is spent.
 * @throws {RangeError} A value that is not above 0, or not finite.
 */
export function lookedAtRatio(rounds: readonly Round[], look: 'early' | 'last'): Estimate {
  const estimate = pairedRatio(rounds)
  return estimate.kind === 'paired' ? { ...estimate, kind: look } : estimate
}

/**
 * The ratio of rounds that ran at different times: the difference of the means of logarithms, with Welch's test ("The generalization of
 * 'Student's' problem when several different population variances are involved", Biometrika 34, 1947).
 *
 * Nothing cancels: a machine in another state, or a drift, is part of the difference. The rounds of each side are assumed to be independent.
 * @param a Values of A, above 0.
 * @param b Values of B in the same unit, above 0; any number of them.
 * @throws {RangeError} A value that is not above 0, or not finite.
 */
export function unpairedRatio(a: readonly number[], b: readonly number[]): Estimate {
  const logs = [a.map(toLogarithm), b.map(toLogarithm)] as const
  const rounds = Math.min(a.length, b.length)
  if (rounds < minRounds) return { kind: 'too few rounds', rounds }
  const [ofA, ofB] = [computeMoments(logs[0]), computeMoments(logs[1])]
  const [partA, partB] = [ofA.variance / a.length, ofB.variance / b.length]
  const welch = (partA + partB) ** 2 / (partA ** 2 / (a.length - 1) + partB ** 2 / (b.length - 1))
  return {
    kind: 'unpaired',
    logRatio: ofB.mean - ofA.mean,
    standardError: Math.sqrt(partA + partB),
    // Where nothing varied there is no quotient, and no use for it either.
    degreesOfFreedom: partA + partB === 0 ? a.length + b.length - 2 : welch,
    rounds,
  }
}

/** The geometric mean of rounds and the interval around it. */
export type MeanInterval = { readonly mean: number; readonly low: number; readonly high: number }

/**
 * The geometric mean of rounds of one side: the mean of logarithms, with Student's t. The rounds are assumed to be independent of each other.
 * @param values Above 0.
 * @param errorRate Above 0 and below 1: how often the interval may miss the true mean.
 * @returns Null for fewer rounds than `minRounds`.
 * @throws {RangeError} A value that is not above 0, or not finite.
 */
export function meanInterval(values: readonly number[], errorRate = 0.05): MeanInterval | null {
  const logs = values.map(toLogarithm)
  if (values.length < minRounds) return null
  const { mean, variance } = computeMoments(logs)
  const halfWidth = criticalValueOfT(errorRate, values.length - 1) * Math.sqrt(variance / values.length)
  return { mean: Math.exp(mean), low: Math.exp(mean - halfWidth), high: Math.exp(mean + halfWidth) }
}

/**
 * B / A with its interval.
 * @param errorRate Above 0 and below 1: how often the interval may miss the true ratio. By default 0.05, an interval of 95 %.
 */
export function computeInterval(estimate: MeasuredRatio, errorRate = 0.05): RatioInterval {
  const { logRatio } = estimate
  const halfWidth = computeHalfWidth(estimate, errorRate)
  return { ratio: Math.exp(logRatio), low: Math.exp(logRatio - halfWidth), high: Math.exp(logRatio + halfWidth) }
}

/** Half the width of the interval of the logarithm. Infinity where so few rounds cannot reach the error rate, even if nothing varied. */
export function computeHalfWidth(estimate: MeasuredRatio, errorRate: number): number {
  const standardErrors = tests[estimate.kind].criticalValue(errorRate, estimate)
  return standardErrors === Infinity ? Infinity : standardErrors * estimate.standardError
}

/** How likely an estimate at least so far off is if the logarithm of the true ratio is `logRatio`: 0 to 1, of both sides. */
export function computePValue(estimate: MeasuredRatio, logRatio: number): number {
  const distance = estimate.logRatio - logRatio
  return distance === 0 ? 1 : tests[estimate.kind].tail(distance / estimate.standardError, estimate)
}

type Test = {
  readonly tail: (t: number, estimate: MeasuredRatio) => number
  readonly criticalValue: (level: number, estimate: MeasuredRatio) => number
}

const student: Test = {
  tail: (t, { degreesOfFreedom }) => tailOfT(t, degreesOfFreedom),
  criticalValue: (level, { degreesOfFreedom }) => criticalValueOfT(level, degreesOfFreedom),
}

const tests: Readonly<Record<MeasuredRatio['kind'], Test>> = {
  paired: student,
  unpaired: student,
  sequential: {
    tail: (t, { rounds }) => alwaysValidTail(t, rounds),
    criticalValue: (level, { rounds }) => alwaysValidCriticalValue(level, rounds),
  },
  early: {
    tail: (t, { rounds }) => Math.min(1, alwaysValidTail(t, rounds) / earlyShare),
    criticalValue: (level, { rounds }) => alwaysValidCriticalValue(level * earlyShare, rounds),
  },
  last: {
    tail: (t, { degreesOfFreedom }) => Math.min(1, tailOfT(t, degreesOfFreedom) / (1 - earlyShare)),
    criticalValue: (level, { degreesOfFreedom }) => criticalValueOfT(level * (1 - earlyShare), degreesOfFreedom),
  },
}

function toLogarithm(value: number): number {
  if (!(value > 0 && value < Infinity)) throw new RangeError(`A value to compare is above 0 and finite, not ${value}`)
  return Math.log(value)
}

function computeMoments(values: readonly number[]): { readonly mean: number; readonly variance: number } {
  // From the first value on: where all are the same, so is their mean, to the last digit.
  const [first = 0] = values
  const mean = first + values.reduce((sum, value) => sum + (value - first), 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, variance: squares / (values.length - 1) }
}

/**
 * The t statistic of a mean that is looked at after every round, with one error rate for all looks together.
 *
 * The method: the likelihood ratio of "the mean is μ" against "it is off by a normally distributed multiple of the unknown standard
 * deviation", the latter integrated out by its right Haar measure, is a martingale that begins at 1 if μ is true. By Ville's inequality it ever
 * reaches 1/α with a probability of at most α (Wang and Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown
 * variance", arXiv 2310.03722, 2023; the ratio itself: Gönen et al., "The Bayesian two-sample t test", The American Statistician 59, 2005).
 *
 * Why not the spending of an error rate over planned looks (Lan and DeMets): it needs the greatest number of rounds beforehand, which a budget
 * of minutes does not give, spends next to nothing on the first looks, where large effects are already clear, and yields no interval that is
 * valid where the rounds end. This is valid however and whenever they end, at the price of intervals 1.6 to 2.1 times as wide as those of Student.
 */

/**
 * Standard deviation of the assumed effect, in standard deviations of the difference of a round. Any value keeps the error rate; of 0.5 to 2, 1 gives
 * intervals within 5 % of the shortest from 8 to 80 rounds.
 */
const effectScale = 1

/**
 * A p value that stays valid over all looks: it is ever at or below α, at any look, with a probability of at most α if there is no difference.
 * @param t Distance from the mean in standard errors; any number, also ±Infinity.
 * @param rounds At least 2.
 * @returns Above 0, at most 1.
 */
export function alwaysValidTail(t: number, rounds: number): number {
  const k = 1 + rounds * effectScale ** 2
  const square = t ** 2 / (rounds - 1)
  const quotient = 1 / k + (1 - 1 / k) / (1 + square)
  return Math.min(1, Math.sqrt(k) * quotient ** (rounds / 2))
}

/**
 * Half the width of the interval that holds the mean at all looks together with a probability of at least 1 - `level`, in standard errors.
 * The inverse of `alwaysValidTail`.
 * @param level Above 0 and below 1.
 * @param rounds At least 2.
 * @returns Infinity where so few rounds cannot reach the level.
 * @throws {RangeError} A level outside of its range.
 */
export function alwaysValidCriticalValue(level: number, rounds: number): number {
  if (!(level > 0 && level < 1)) throw new RangeError(`A level is above 0 and below 1, not ${level}`)
  const k = 1 + rounds * effectScale ** 2
  const above = (level / Math.sqrt(k)) ** (2 / rounds) - 1 / k
  return above > 0 ? Math.sqrt((rounds - 1) * ((1 - 1 / k) / above - 1)) : Infinity
}
