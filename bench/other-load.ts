import { type Estimate, pairedRatio, type Round, startsRatio, unpairedRatio } from '../src/statistics/estimate.ts'
import { computeVerdicts } from '../src/statistics/verdict.ts'
import { drawTurnOrder } from '../src/verdicts/turn-order.ts'
import { Dice } from './simulated.ts'

/** Other programs that come and go, each time for a random number of seconds (exponentially distributed). */
export type OtherLoad = {
  /** Mean lengths of the times with it. */
  readonly seconds: number
  /** Share of the time in which it is there. */
  readonly present: number
  /** Share of the throughput that it takes meanwhile. */
  readonly takes: number
}

/** From bursts within a turn to minutes, and from a few percent of the time to most of it. */
export const otherLoads: readonly OtherLoad[] = [0.1, 0.5, 3, 15, 60].flatMap((seconds) =>
  [0.05, 0.3, 0.7].flatMap((present) => [0.2, 0.6].map((takes) => ({ seconds, present, takes }))),
)

/** How two sides are measured. */
export type Way = {
  readonly name: string
  readonly rounds: number
  /** Pairs of windows of a round. */
  readonly pairs: number
  /** Length of a window. */
  readonly seconds: number
  /** Time after each window. */
  readonly pause: number
  /** Time before each round. */
  readonly ready: number
  readonly estimate: (rounds: readonly Round[]) => Estimate
  /** Whether all windows of A come first. */
  readonly isApart?: boolean
}

const ofTurns = { seconds: 0.45, pause: 0.15, ready: 8 }
const runs = { rounds: 10, pairs: 1, seconds: 10, pause: 6, ready: 0 }

const unpaired = (rounds: readonly Round[]): Estimate =>
  unpairedRatio(
    rounds.map(({ a }) => a),
    rounds.map(({ b }) => b),
  )

/** Comparisons of `ab`, in which sides take turns. */
export const inTurns: readonly Way[] = [
  { name: '3 rounds of 3 pairs of stretches', rounds: 3, pairs: 3, ...ofTurns, estimate: startsRatio },
  { name: '3 rounds of 9 pairs of stretches', rounds: 3, pairs: 9, ...ofTurns, estimate: startsRatio },
  { name: '6 rounds of 2 pairs of stretches', rounds: 6, pairs: 2, ...ofTurns, estimate: pairedRatio },
  { name: '6 rounds of 20 pairs of stretches', rounds: 6, pairs: 20, ...ofTurns, estimate: pairedRatio },
  { name: '10 rounds of whole runs', ...runs, estimate: pairedRatio },
]

/** Two results, of one side after the other. */
export const apart: Way = { name: '10 runs of A, then 10 of B', ...runs, estimate: unpaired, isApart: true }

/** Returns the share of each window in which the other load is there. */
function sharesUnderLoad({ seconds, present }: OtherLoad, starts: readonly number[], length: number, dice: Dice) {
  const means = { with: seconds, without: (seconds * (1 - present)) / present }
  let now: keyof typeof means = dice.uniform() < present ? 'with' : 'without'
  const draw = (): number => -Math.log(1 - dice.uniform()) * means[now]
  let [from, to] = [0, draw()]
  return starts.map((start) => {
    for (let under = 0; ;) {
      if (now === 'with') under += Math.max(0, Math.min(start + length, to) - Math.max(start, from))
      if (to >= start + length) return under / length
      now = now === 'with' ? 'without' : 'with'
      ;[from, to] = [to, to + draw()]
    }
  })
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Noise of a window and of a percentile, besides the other load. */
const noise = 0.04

/** Geometric mean of the throughput of windows, as `ab` has it for a round. */
const drawThroughput = (shares: readonly number[], { takes }: OtherLoad, dice: Dice): number =>
  Math.exp(mean(shares.map((share) => Math.log(1 - share * takes) + noise * dice.normal())))

/** The 99th percentile of all calls of windows: exponentially distributed latencies, five times as long as throughput explains beside other load. */
function computeP99(shares: readonly number[], { takes }: OtherLoad, dice: Dice): number {
  const slowCalls = mean(shares) * (1 - takes)
  const slowShare = slowCalls / (slowCalls + 1 - mean(shares))
  const isAbove = (ms: number): boolean =>
    (1 - slowShare) * Math.exp(-ms) + slowShare * Math.exp((-ms * (1 - takes)) / 5) > 0.01
  let [low, high] = [0, 1000]
  for (let step = 0; step < 24; step++) {
    const middle = (low + high) / 2
    if (isAbove(middle)) low = middle
    else high = middle
  }
  return low * Math.exp(noise * dice.normal())
}

/** Returns the shares of comparisons of equal sides in which one is higher or lower, of throughput and of the 99th percentile. */
export function falseRates(way: Way, load: OtherLoad, comparisons: number): { throughput: number; p99: number } {
  const found = { throughput: 0, p99: 0 }
  const perRound = 2 * way.pairs
  for (let number = 0; number < comparisons; number++) {
    const dice = new Dice(`${way.name} ${JSON.stringify(load)}`, number)
    const pairs = Array.from({ length: way.rounds * way.pairs }, (_, pair) => pair + 1)
    const turns = pairs.flatMap((pair) => drawTurnOrder(['a', 'b'] as const, number, pair))
    const order = way.isApart === true ? turns.toSorted() : turns
    const starts = order.map(
      (_, window) => window * (way.seconds + way.pause) + Math.floor(window / perRound) * way.ready,
    )
    const shares = sharesUnderLoad(load, starts, way.seconds, dice)
    const ofRound = (side: 'a' | 'b', round: number): readonly number[] =>
      shares.filter((_, window) => order[window] === side).slice(round * way.pairs, (round + 1) * way.pairs)
    for (const [name, figureOf] of [
      ['throughput', drawThroughput],
      ['p99', computeP99],
    ] as const) {
      const rounds = Array.from({ length: way.rounds }, (_, round) => ({
        a: figureOf(ofRound('a', round), load, dice),
        b: figureOf(ofRound('b', round), load, dice),
      }))
      const [verdict] = computeVerdicts([{ estimate: way.estimate(rounds), better: 'higher' }])
      if (verdict?.kind === 'higher' || verdict?.kind === 'lower') found[name]++
    }
  }
  return { throughput: found.throughput / comparisons, p99: found.p99 / comparisons }
}
