import { type Digits } from '../../metrics/format.ts'
import { type RatioInterval } from '../../statistics/estimate.ts'
import { type ComparisonVerdict } from '../../statistics/verdict.ts'
import { type Difference } from './differences.ts'
import { type Explanation } from './explanations.ts'

/**
 * How the rounds of A and B belong together: those of `mongo-perf ab` are paired; `sequential`: and were added until verdicts were clear. Those of
 * turns are each several pairs of short turns, after a restart of both sides.
 */
export type Rounds = 'paired' | 'sequential' | 'unpaired' | 'turns' | 'sequential turns' | 'budgeted turns'

/** How much was measured in turns. */
export type TurnCounts = {
  readonly rounds: number
  /** In all rounds. */
  readonly pairs: number
  /** Length of each turn. */
  readonly seconds: number
  readonly leadInSeconds: number
}

/** Findings about B against A. */
export type ResultComparison = {
  /** Sentences that say what came out. */
  readonly answer: string
  /** One way, or several where results of several specs are compared. */
  readonly rounds: readonly Rounds[]
  /** Null: in whole runs, or of several specs. */
  readonly turns: TurnCounts | null
  /** Settings that each side alone has, such as "workers=8". Null: not measured by `mongo-perf ab`. */
  readonly settings: { readonly a: readonly string[]; readonly b: readonly string[] } | null
  /** Counts of the work of one call, which are the same on any machine, busy or not. Empty where the metrics are named. */
  readonly work: readonly ComparedFigure[]
  /** Worse figures first, better ones last. */
  readonly figures: readonly ComparedFigure[]
  readonly leftOut: readonly LeftOut[]
  /** Specs and rows that only one side has: one sentence each. */
  readonly unmatched: readonly string[]
  /** The intended difference. */
  readonly differences: readonly Difference[]
  /** The effect below which two values are the same: 0.02 is 2 %. */
  readonly smallestEffect: number
  /** Other changes in the rows, which may explain their differences. */
  readonly explanations: readonly Explanation[]
  /** Limits on how far the verdicts can be trusted: one sentence each, the most important one first. */
  readonly limits: readonly string[]
}

/** One measure of one row, on both sides. */
export type ComparedFigure = {
  /** The name of the spec. */
  readonly spec: string
  /** The label of the row. Empty: the spec has one row. */
  readonly row: string
  /** The address of the measure. */
  readonly measure: string
  /** Place and measure as text: "findOne: p99 (ms)". */
  readonly title: string
  /** Place and measure in a sentence: "findOne p99". */
  readonly subject: string
  /** Decimals of its values. */
  readonly digits: Digits
  readonly better: 'higher' | 'lower'
  readonly rounds: Rounds
  /** One value for each run, or for all turns of a round; of paired rounds, the same round at the same place in both. */
  readonly a: readonly number[]
  readonly b: readonly number[]
  /** The figure in the tables of A: the runs together. */
  readonly figureA: number
  readonly figureB: number
  /** B / A: of the geometric means of the runs if there is an interval, else of the figures. Null: a run has 0. */
  readonly ratio: number | null
  /** The interval of 95 % around the ratio, of this figure alone. Null: too few runs. */
  readonly interval: RatioInterval | null
  readonly verdict: ComparedVerdict
}

/** Verdict on one figure of B against A. */
export type ComparedVerdict =
  | ComparisonVerdict
  /** Counts of work, which need no rounds: all runs of one side are above all of the other. */
  | { readonly kind: 'counted'; readonly effect: 'better' | 'worse'; readonly text: string }
  /** Counts of work that are the same, or whose runs overlap. */
  | { readonly kind: 'same count'; readonly text: string }
  /** 0 in all runs of both sides. */
  | { readonly kind: 'both 0'; readonly text: string }
  /** 0 in all runs of one side, in none of the other, and enough of both: no chance brings that about. */
  | { readonly kind: 'only zeros'; readonly effect: 'better' | 'worse'; readonly text: string }
  /** Some runs have 0, and the others do not. */
  | { readonly kind: 'no ratio'; readonly text: string }
  /** The row does not show what it is meant to show. Worse where that is so in B alone. */
  | {
      readonly kind: 'not measured'
      readonly effect?: 'worse'
      readonly reasons: readonly string[]
      readonly text: string
    }

/** A measure of a row that is not compared. */
export type LeftOut = Pick<ComparedFigure, 'spec' | 'row' | 'title'> & {
  readonly kind: 'measured on one side' | 'not measured' | 'too few samples'
  readonly reason: string
}

export const isWorse = ({ verdict }: ComparedFigure): boolean => 'effect' in verdict && verdict.effect === 'worse'

export const isBetter = ({ verdict }: ComparedFigure): boolean => 'effect' in verdict && verdict.effect === 'better'

/** Whether B is neither worse nor better. */
export const isSame = ({ verdict: { kind } }: ComparedFigure): boolean =>
  kind === 'same' || kind === 'both 0' || kind === 'same count'

/** Whether B does more work than A, or is worse in a figure. */
export const isAnyWorse = ({ work, figures }: Pick<ResultComparison, 'work' | 'figures'>): boolean =>
  work.some(isWorse) || figures.some(isWorse)

/** Whether the row of a figure does not show what it is meant to show. */
export const isNotMeasured = ({ verdict }: ComparedFigure): boolean => verdict.kind === 'not measured'

/** Whether nothing can be said about B. */
export const isUnclear = (figure: ComparedFigure): boolean => !isWorse(figure) && !isBetter(figure) && !isSame(figure)

/** Whether every figure has a verdict, and nothing was measured on one side only. */
export const isClear = ({ figures, leftOut, unmatched }: ResultComparison): boolean =>
  !figures.some(isUnclear) && unmatched.length === 0 && !leftOut.some(({ kind }) => kind === 'measured on one side')
