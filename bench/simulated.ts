import { placeKey, Stream } from '../src/core/random.ts'
import { findChangePoints } from '../src/statistics/change-points.ts'
import {
  type Estimate,
  lookedAtRatio,
  minRounds,
  pairedRatio,
  type Round,
  sequentialRatio,
  startsRatio,
  unpairedRatio,
} from '../src/statistics/estimate.ts'
import { isClear, type ComparisonRow, type ComparisonVerdict, computeVerdicts } from '../src/statistics/verdict.ts'

/** The noise of runs that follow each other, on logarithms. A comparison begins with a new machine. */
export type Scenario = {
  readonly name: string
  /** Coefficients of variation of a run by itself: each comparison has one of this range. */
  readonly noise: readonly [number, number]
  /** How far the machine gets faster or slower from the first run to the last. */
  readonly drift?: number
  /** A slow state, which half of the rounds are in. With the rest of the probability each run of a round has a state of its own. */
  readonly states?: { readonly factor: number; readonly shared: number }
  /** Autoregressive process of first order, from run to run. */
  readonly autocorrelation?: { readonly coefficient: number; readonly variation: number }
}

const noise = [0.03, 0.06] as const

/** Scenarios as on a machine that client and server share: of six rounds there, throughput varied by 5 to 6 %, drift and states included. */
export const scenarios: readonly Scenario[] = [
  { name: 'noise of 3 to 6 %', noise },
  { name: 'and a drift of 20 %', noise, drift: 0.2 },
  {
    name: 'and autocorrelation: 5 %, 0.9 from run to run',
    noise,
    autocorrelation: { coefficient: 0.9, variation: 0.05 },
  },
  { name: 'and two states, 1.28 apart, shared', noise, states: { factor: 1.28, shared: 1 } },
  { name: 'and two states, 1.28 apart, 0.9 shared', noise, states: { factor: 1.28, shared: 0.9 } },
]

/** Scenario in which client and server have cores of their own and the work is small. */
export const quiet: Scenario = { name: 'noise of 1 %', noise: [0.01, 0.01] }

/** Random numbers of one comparison: the same name and number, the same comparison. */
export class Dice {
  readonly #stream: Stream

  constructor(name: string, number: number) {
    this.#stream = new Stream(placeKey(16, name)).at(number)
  }

  readonly uniform = (): number => this.#stream.float()

  /** G. E. P. Box and M. E. Muller, 1958. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform())
  }

  either<One, Other>(one: One, other: Other): One | Other {
    return this.uniform() < 0.5 ? one : other
  }
}

/** Standard deviation of the logarithm of a lognormal value. */
const computeDeviation = (variation: number): number => Math.sqrt(Math.log1p(variation ** 2))

/** Rounds in which B is `effect` higher than A (0.1 is 10 %), the two of a round in random order. */
export function simulatedRounds(scenario: Scenario, effect: number, count: number, dice: Dice): readonly Round[] {
  const runs = machineRuns(scenario, count, dice)
  return Array.from({ length: count }, (_, round) => {
    const [first, second] = [runs[2 * round] ?? 0, runs[2 * round + 1] ?? 0]
    const [a, b] = dice.either([first, second] as const, [second, first] as const)
    return { a: 1000 * Math.exp(a), b: 1000 * Math.exp(b) * (1 + effect) }
  })
}

/** Logarithms of what `2 * rounds` runs of the same work yield. */
function machineRuns(scenario: Scenario, rounds: number, dice: Dice): readonly number[] {
  const { noise: range, drift = 0, autocorrelation = { coefficient: 0, variation: 0 } } = scenario
  const own = computeDeviation(range[0] + (range[1] - range[0]) * dice.uniform())
  const wandering = computeDeviation(autocorrelation.variation)
  const step = Math.sqrt(1 - autocorrelation.coefficient ** 2)
  const slope = (dice.either(1, -1) * Math.log1p(drift)) / (2 * rounds - 1)
  const states = drawStates(scenario, rounds, dice)
  let process = dice.normal()
  return states.map((state, run) => {
    process = autocorrelation.coefficient * process + step * dice.normal()
    return slope * run + state + wandering * process + own * dice.normal()
  })
}

function drawStates({ states }: Scenario, rounds: number, dice: Dice): readonly number[] {
  const state = (): number => dice.either(0, -Math.log(states?.factor ?? 1))
  return Array.from({ length: rounds }, () => {
    const first = state()
    return [first, dice.uniform() < (states?.shared ?? 1) ? first : state()]
  }).flat()
}

/** The shares of comparisons, of 1, that came to each verdict. */
export type Rates = Readonly<Record<ComparisonVerdict['kind'], number>>

const computeRates = (verdicts: readonly ComparisonVerdict[]): Rates => {
  const share = (kind: ComparisonVerdict['kind']): number =>
    verdicts.filter((verdict) => verdict.kind === kind).length / verdicts.length
  return {
    higher: share('higher'),
    lower: share('lower'),
    same: share('same'),
    'cannot tell': share('cannot tell'),
    'no verdict': share('no verdict'),
  }
}

const each = <Value>(count: number, value: (number: number) => Value): Value[] =>
  Array.from({ length: count }, (_, number) => value(number))

const computeVerdict = (row: ComparisonRow): ComparisonVerdict => computeVerdicts([row])[0] as ComparisonVerdict

/** Comparisons of `rounds` paired rounds. */
export function pairedRates(scenario: Scenario, effect: number, comparisons: number, rounds: number): Rates {
  return computeRates(
    each(comparisons, (number) => {
      const dice = new Dice(`${scenario.name} ${effect}`, number)
      return computeVerdict({
        estimate: pairedRatio(simulatedRounds(scenario, effect, rounds, dice)),
        better: 'higher',
      })
    }),
  )
}

/** Comparisons of two files of `rounds` each, that of B with the machine of another hour. */
export function unpairedRates(scenario: Scenario, effect: number, comparisons: number, rounds: number): Rates {
  return computeRates(
    each(comparisons, (number) => {
      const dice = new Dice(`unpaired ${scenario.name} ${effect}`, number)
      const a = simulatedRounds(scenario, effect, rounds, dice).map((round) => round.a)
      const b = simulatedRounds(scenario, effect, rounds, dice).map((round) => round.b)
      return computeVerdict({ estimate: unpairedRatio(a, b), better: 'higher' })
    }),
  )
}

/** Comparisons of several rows without an effect: the share of them with a difference in any row. */
export function familyRate(scenario: Scenario, rows: number, comparisons: number, rounds: number): number {
  const wrong = each(comparisons, (number) => {
    const dice = new Dice(`family ${scenario.name} ${rows}`, number)
    const family = each(rows, () => ({
      estimate: pairedRatio(simulatedRounds(scenario, 0, rounds, dice)),
      better: 'higher' as const,
    }))
    return computeVerdicts(family).some(({ kind }) => kind === 'higher' || kind === 'lower')
  })
  return wrong.filter(Boolean).length / comparisons
}

/** Noise of turns, on logarithms. */
export type TurnNoise = {
  readonly name: string
  /** Coefficient of variation of the ratio of a pair. */
  readonly pair: number
  /** Coefficient of variation of the ratio of all pairs of a start, which they share. */
  readonly start: number
}

/** Noise as measured: 2.7 % for pairs of a second each, 4 to 14 % for shorter ones and writes; with starts that differ hardly, or by more than a pair. */
export const turnNoises: readonly TurnNoise[] = [
  { name: 'pairs of 4 %, starts alike', pair: 0.04, start: 0 },
  { name: 'pairs of 4 %, starts of 1 %', pair: 0.04, start: 0.01 },
  { name: 'pairs of 6 %, starts of 3 %', pair: 0.06, start: 0.03 },
  { name: 'pairs of 14 %, starts of 3 %', pair: 0.14, start: 0.03 },
]

/** Pairs of turns, by starts, in which B is `effect` higher than A. */
export function simulatedStarts(
  { pair, start }: TurnNoise,
  effect: number,
  { starts, pairs }: { readonly starts: number; readonly pairs: number },
  dice: Dice,
): readonly (readonly Round[])[] {
  return each(starts, () => {
    const shared = computeDeviation(start) * dice.normal()
    return each(pairs, () => ({
      a: 1000,
      b: 1000 * (1 + effect) * Math.exp(shared + computeDeviation(pair) * dice.normal()),
    }))
  })
}

/** All turns of a start together. */
const meanOfPairs = (pairs: readonly Round[]): Round => {
  const meanOf = (side: keyof Round): number => pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length
  return { a: meanOf('a'), b: meanOf('b') }
}

/** Comparisons of a fixed number of starts. */
export const startRates = (kind: TurnNoise, effect: number, comparisons: number, counts: StartCounts): Rates =>
  computeRates(
    each(comparisons, (number) => {
      const dice = new Dice(`starts ${kind.name} ${effect} ${counts.starts}`, number)
      const starts = simulatedStarts(kind, effect, counts, dice).map(meanOfPairs)
      return computeVerdict({ estimate: startsRatio(starts), better: 'higher' })
    }),
  )

type StartCounts = Parameters<typeof simulatedStarts>[2]

/** The same pairs, as if they were all of one start. */
export const pairsAloneRates = (kind: TurnNoise, comparisons: number, counts: StartCounts): Rates =>
  computeRates(
    each(comparisons, (number) => {
      const dice = new Dice(`pairs alone ${kind.name}`, number)
      const estimate = pairedRatio(simulatedStarts(kind, 0, counts, dice).flat())
      return computeVerdict({ estimate, better: 'higher' })
    }),
  )

/** Comparisons that start anew until the verdict is clear, up to so many starts. */
export function untilClearByStarts(
  kind: TurnNoise,
  effect: number,
  comparisons: number,
  counts: StartCounts,
): UntilClear {
  return countUntilClear(
    each(comparisons, (number) => {
      const dice = new Dice(`until clear by starts ${kind.name} ${effect}`, number)
      return simulatedStarts(kind, effect, counts, dice).map(meanOfPairs)
    }),
    (rounds, isLast) => lookedAtRatio(rounds, isLast ? 'last' : 'early'),
  )
}

/** Outcome of comparisons until it is clear, and after how many rounds (the median). */
export type UntilClear = { readonly rates: Rates; readonly rounds: number }

/** Comparisons that add rounds until the verdict is clear, up to `maxRounds`. */
export function untilClear(scenario: Scenario, effect: number, comparisons: number, maxRounds: number): UntilClear {
  return countUntilClear(
    each(comparisons, (number) => {
      const dice = new Dice(`until clear ${scenario.name} ${effect}`, number)
      return simulatedRounds(scenario, effect, maxRounds, dice)
    }),
    sequentialRatio,
  )
}

/** @param comparisons All rounds that each of them may have. */
function countUntilClear(
  comparisons: readonly (readonly Round[])[],
  estimate: (rounds: readonly Round[], isLast: boolean) => Estimate,
): UntilClear {
  const ends = comparisons.map((all) => {
    for (let rounds = minRounds; ; rounds++) {
      const looked = estimate(all.slice(0, rounds), rounds >= all.length)
      const verdict = computeVerdict({ estimate: looked, better: 'higher' })
      if (isClear([verdict]) || rounds >= all.length) return { verdict, rounds }
    }
  })
  const ascending = ends.map(({ rounds }) => rounds).toSorted((few, many) => few - many)
  return {
    rates: computeRates(ends.map(({ verdict }) => verdict)),
    rounds: ascending[Math.floor(ends.length / 2)] ?? 0,
  }
}

/** Returns shares of histories of `values` values whose last `since` have changed by `effect`: with a change point, and with one within two values of the true one. */
export function historyRates(
  scenario: Scenario,
  effect: number,
  { histories, values, since }: { readonly histories: number; readonly values: number; readonly since: number },
): { readonly any: number; readonly near: number } {
  const found = each(histories, (number) => {
    const dice = new Dice(`history ${scenario.name} ${effect} ${values}`, number)
    const rounds = simulatedRounds(scenario, effect, values, dice)
    const history = findChangePoints(
      rounds.map(({ a, b }, i) => (i < values - since ? a : b)),
      dice.uniform,
    )
    return history.kind === 'change points' ? history.points : []
  })
  const shareOf = (matching: typeof found): number => matching.length / histories
  return {
    any: shareOf(found.filter((points) => points.length > 0)),
    near: shareOf(found.filter((points) => points.some(({ index }) => Math.abs(index - (values - since)) <= 2))),
  }
}
