import { type Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { placeKey, Stream } from '../../core/random.ts'
import { isUnclear, type ResultComparison } from '../../report/comparison/comparison.ts'
import { type Result } from '../../results/schema.ts'
import { type SideName } from '../../results/schema/pairing.ts'
import { minRounds } from '../../statistics/estimate.ts'
import { keepResults, type KeptResults, type OpenPairing, type SaveResult } from './keep-results.ts'
import { type RunSide, type SideEvent, type SideRun } from './run-side.ts'

/** Condition under which there are enough rounds. */
export type Stop =
  | { readonly kind: 'rounds'; readonly rounds: number }
  /** Every verdict is clear, or the time is over. */
  | { readonly kind: 'clear'; readonly budgetMs: number }

/** Position of a comparison. */
export type AbProgress = {
  readonly round: number
  /** How many there will be. Null: as many as it takes. */
  readonly of: number | null
  /** Until all rounds are done, or the budget is spent. Null: not known yet. */
  readonly secondsLeft: number | null
} & (
  | { readonly kind: 'running'; readonly side: SideName; readonly event: SideEvent }
  /** Both sides of a round are done. */
  | { readonly kind: 'round'; readonly order: readonly [SideName, SideName] }
)

/** The results of both sides, whose run *n* is round *n*, and what they say. */
export type AbOutcome = {
  /** Why there are no more rounds. */
  readonly ended: 'rounds' | 'clear' | 'budget' | 'aborted'
  /** Null: it was aborted before. */
  readonly a: Result | null
  readonly b: Result | null
  /** Null: it was aborted before both sides of a round were measured. */
  readonly comparison: ResultComparison | null
}

/** Plan of the rounds, and when they end. */
export type RoundsPlan = {
  readonly id: string
  /** The seed of the order of both sides. */
  readonly seed: number
  readonly stop: Stop
  readonly sides: Readonly<Record<SideName, { readonly run: SideRun; readonly settings: readonly string[] }>>
}

/** Runner of the rounds, and where their results go. */
export type RoundsContext = {
  readonly runSide: RunSide
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onProgress: (progress: AbProgress) => void
  readonly save: SaveResult
  readonly compare: (a: Result, b: Result) => ResultComparison
}

/**
 * Runs both sides in turn, and saves their results after each. An abort ends it with what is done.
 * @throws {Problem} if a side cannot run, or if A and B do not compare, which the first round shows.
 */
export async function runRounds(plan: RoundsPlan, context: RoundsContext): Promise<AbOutcome> {
  const { clock, save } = context
  const kept = keepResults({ a: createOpenPairing(plan, 'a'), b: createOpenPairing(plan, 'b') }, save)
  try {
    const { ended, rounds } = await measureRounds(plan, kept, context)
    await kept.end(ended === 'aborted' ? 'aborted' : 'done', clock.date())
    return { ended, ...kept.results(), comparison: rounds > 0 ? compareBothSides(kept, context) : null }
  } catch (error) {
    await kept.end('failed', clock.date())
    throw error
  }
}

const createOpenPairing = ({ id, stop, sides }: RoundsPlan, side: SideName): OpenPairing => ({
  id,
  side,
  settings: [...sides[side].settings],
  rounds: stop.kind === 'rounds' ? 'fixed' : 'until clear',
})

type Ended = {
  readonly ended: AbOutcome['ended']
  /** Number of rounds that are complete on both sides. */
  readonly rounds: number
}

async function measureRounds(plan: RoundsPlan, kept: KeptResults, context: RoundsContext): Promise<Ended> {
  const { signal, clock, onProgress } = context
  const timer = startTimer(plan.stop, clock.now)
  const of = plan.stop.kind === 'rounds' ? plan.stop.rounds : null
  for (let round = 1; ; round++) {
    const order = chooseSideOrder(plan.seed, round)
    for (const side of order) {
      if (signal.aborted) return { ended: 'aborted', rounds: round - 1 }
      const onEvent = (event: SideEvent): void =>
        onProgress({ kind: 'running', round, of, secondsLeft: timer.secondsLeft(), side, event })
      const ran = await timer.measure(() => runOnce(plan, { round, side }, context, onEvent))
      await kept.add(ran, { side, round, first: order[0] })
    }
    if (signal.aborted) return { ended: 'aborted', rounds: round - 1 }
    onProgress({ kind: 'round', round, of, secondsLeft: timer.secondsLeft(), order })
    const reason = reasonToEnd(plan.stop, round, timer, () => compareBothSides(kept, context))
    if (reason !== null) return { ended: reason, rounds: round }
  }
}

async function runOnce(
  { sides }: RoundsPlan,
  { round, side }: { readonly round: number; readonly side: SideName },
  { runSide, signal }: RoundsContext,
  onEvent: (event: SideEvent) => void,
): Promise<Result> {
  try {
    return await runSide(sides[side].run, { signal, onEvent })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const kept = round > 1 ? ' The rounds before are kept, and `mongo-perf compare` compares them.' : ''
    const message = `${side.toUpperCase()} failed in round ${round}: ${error.message}`
    // It is an option of `run`: a comparison is not resumed.
    const hints = error.hint.split(/(?<=\.) /).filter((sentence) => !sentence.includes('--resume'))
    throw new Problem(error.code, message, { hint: `${hints.join(' ') || otherHint}${kept}`, cause: error })
  }
}

const otherHint = 'Measure this side with `mongo-perf run` to see more.'

/** @param compare Called after the first round, for what it refuses, and then only where the verdicts decide: more looks need another test. */
function reasonToEnd(
  stop: Stop,
  round: number,
  timer: Timer,
  compare: () => ResultComparison,
): AbOutcome['ended'] | null {
  if (round === 1) compare()
  if (stop.kind === 'rounds') return round === stop.rounds ? 'rounds' : null
  if (round >= minRounds && !compare().figures.some(isUnclear)) return 'clear'
  return timer.isSpent() ? 'budget' : null
}

function compareBothSides({ results }: KeptResults, { compare }: RoundsContext): ResultComparison {
  const { a, b } = results()
  if (a && b) return compare(a, b)
  throw new Error('Both sides have run')
}

/**
 * The order of both sides in a round, drawn from the seed. Of the rounds 2n - 1 and 2n each side is first in one: neither side has a fixed
 * place, and however many rounds there will be, what the first of a round gains by its place cancels.
 * @param round From 1.
 */
export function chooseSideOrder(seed: number, round: number): readonly [SideName, SideName] {
  const [pair, place] = [Math.ceil(round / 2), round % 2]
  const beginsWithA = new Stream(placeKey(seed, 'rounds')).at(pair).below(2) === place
  return beginsWithA ? ['a', 'b'] : ['b', 'a']
}

/** The time of a comparison: two runs make a round. */
type Timer = {
  /** Measures how long a side takes in a round. */
  readonly measure: <Value>(run: () => Promise<Value>) => Promise<Value>
  /** Until all rounds are done, or the budget is spent. Null: nothing has ended yet that it could be estimated by. */
  readonly secondsLeft: () => number | null
  /** Whether another round would be longer than the budget. */
  readonly isSpent: () => boolean
}

/**
 * Starts the time.
 * @param now Monotonic time in milliseconds.
 */
function startTimer(stop: Stop, now: () => number): Timer {
  const begun = now()
  let [runs, ranMs, runBegun] = [0, 0, begun]

  const leftOf = (rounds: number): number | null =>
    runs === 0 ? null : (ranMs / runs) * (2 * rounds - runs) - (now() - runBegun)
  const leftMs = (): number | null => (stop.kind === 'rounds' ? leftOf(stop.rounds) : stop.budgetMs - (now() - begun))

  return {
    async measure(run) {
      runBegun = now()
      const value = await run()
      runs += 1
      ranMs += now() - runBegun
      runBegun = now()
      return value
    },
    secondsLeft() {
      const left = leftMs()
      return left === null ? null : Math.max(0, left / 1000)
    },
    isSpent: () => stop.kind === 'clear' && now() - begun + (2 * ranMs) / runs > stop.budgetMs,
  }
}
