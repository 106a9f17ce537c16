import { type Clock } from '../../core/clock.ts'
import { hintWithoutResume, Problem } from '../../core/errors.ts'
import { leadInSeconds } from '../../load/courses/course.ts'
import { type ComparedFigure, isUnclear, type ResultComparison } from '../../report/comparison/comparison.ts'
import { type Result } from '../../results/schema.ts'
import { type SideName } from '../../results/schema/pairing.ts'
import { minRounds, minStarts } from '../../statistics/estimate.ts'
import { chooseSideOrder } from './alternate.ts'
import { keepResults, type KeptResults, type OpenPairing, type SaveResult } from './keep-results.ts'
import { type LentServers } from './lend-servers.ts'
import { startTimer, type Timer } from './round-timer.ts'
import { type RunSide, type SideControl, type SideEvent, type SideRun } from './run-side.ts'
import { runRoundOfTurns, turnSeconds } from './run-turns.ts'

/** Condition under which there are enough rounds. */
export type Stop =
  | { readonly kind: 'rounds'; readonly rounds: number }
  /** Every verdict is clear, or the time is over. */
  | { readonly kind: 'clear'; readonly budgetMs: number }

/** Way of a round: whole runs of both sides, one after the other, or both of them at once, in turns. */
export type Way = 'runs' | 'turns'

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
  /** A round of turns is done, and says so much. */
  | { readonly kind: 'turns'; readonly pairs: number; readonly leading: ComparedFigure | undefined }
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
  /** Databases that stay on servers that were not started for it. */
  readonly left: readonly string[]
}

/** Plan of the rounds, and when they end. */
export type RoundsPlan = {
  readonly id: string
  /** The seed of the order of both sides. */
  readonly seed: number
  readonly way: Way
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
  /** Whether a verdict has to be clear where rounds end when verdicts are. */
  readonly isAwaited: (figure: ComparedFigure) => boolean
  /** Servers for the runs of both sides. Undefined: each run has its own. */
  readonly keepServers: () => LentServers | undefined
}

/**
 * Runs both sides in turn, and saves their results after each. An abort ends it with what is done.
 * @throws {Problem} if a side cannot run, or if A and B do not compare, which the first round shows.
 */
export async function runRounds(plan: RoundsPlan, context: RoundsContext): Promise<Omit<AbOutcome, 'left'>> {
  const { clock, save } = context
  const kept = keepResults({ a: createOpenPairing(plan, 'a'), b: createOpenPairing(plan, 'b') }, save)
  try {
    const { ended, rounds } = await (plan.way === 'runs' ? measureRounds : measureTurns)(plan, kept, context)
    await kept.end(ended === 'aborted' ? 'aborted' : 'done', clock.date())
    return { ended, ...kept.results(), comparison: rounds > 0 ? compareBothSides(kept, context) : null }
  } catch (error) {
    await kept.end('failed', clock.date())
    throw error
  }
}

const createOpenPairing = ({ id, way, stop, sides }: RoundsPlan, side: SideName): OpenPairing => ({
  id,
  side,
  settings: [...sides[side].settings],
  rounds: stop.kind === 'rounds' ? 'fixed' : 'until clear',
  ...(way === 'turns' && { turns: { seconds: turnSeconds, leadInSeconds, rounds: [] } }),
})

type Ended = {
  readonly ended: AbOutcome['ended']
  /** Number of rounds that are complete on both sides. */
  readonly rounds: number
}

async function measureRounds(plan: RoundsPlan, kept: KeptResults, context: RoundsContext): Promise<Ended> {
  const { signal, clock, onProgress } = context
  const timer = startTimer(2, clock.now)
  const of = plan.stop.kind === 'rounds' ? plan.stop.rounds : null
  await using servers = context.keepServers()
  for (let round = 1; ; round++) {
    const order = chooseSideOrder(plan.seed, round)
    for (const side of order) {
      if (signal.aborted) return { ended: 'aborted', rounds: round - 1 }
      const onEvent = (event: SideEvent): void =>
        onProgress({ kind: 'running', round, of, secondsLeft: timer.secondsLeft(plan.stop), side, event })
      const { run } = plan.sides[side]
      const lent = servers?.lend()
      const measured = timer.measure(() => runOnce(run, { round, side }, { ...context, lent }, onEvent))
      const ran = await unlessAborted(measured, signal)
      if (ran === undefined) return { ended: 'aborted', rounds: round - 1 }
      await kept.add(ran, { side, round, first: order[0] })
    }
    if (signal.aborted) return { ended: 'aborted', rounds: round - 1 }
    onProgress({ kind: 'round', round, of, secondsLeft: timer.secondsLeft(plan.stop), order })
    const reason = reasonToEnd(plan.stop, round, timer, context, () => compareBothSides(kept, context))
    if (reason !== null) return { ended: reason, rounds: round }
  }
}

/**
 * Measures rounds of turns: in each, everything that mongo-perf started is restarted. Where few of them fit into the budget, their number is fixed by how long the
 * first one took: a test that looks after each round would need more.
 */
async function measureTurns(plan: RoundsPlan, kept: KeptResults, context: RoundsContext): Promise<Ended> {
  const { signal, clock, onProgress, runSide } = context
  let { stop } = plan
  let pairs: number | undefined
  const timer = startTimer(1, clock.now)
  for (let round = 1; ; round++) {
    if (signal.aborted) return { ended: 'aborted', rounds: round - 1 }
    const place = (): Pick<AbProgress, 'round' | 'of' | 'secondsLeft'> => ({
      round,
      of: stop.kind === 'rounds' ? stop.rounds : null,
      secondsLeft: timer.secondsLeft(stop),
    })
    const measured = timer.measure(async () => {
      await using servers = context.keepServers()
      return await runRoundOfTurns({
        runs: { a: plan.sides.a.run, b: plan.sides.b.run },
        lend: () => servers?.lend(),
        seed: plan.seed,
        pairsBefore: (round - 1) * (pairs ?? 0),
        pairs,
        budgetSeconds: plan.stop.kind === 'clear' ? plan.stop.budgetMs / 1000 : Infinity,
        runSide,
        now: clock.now,
        signal,
        onEvent: (side, event) => onProgress({ kind: 'running', ...place(), side, event }),
        explain: (side, error) => explainFailedSide(side, round, error),
      })
    })
    const done = await unlessAborted(measured, signal)
    if (done === undefined || signal.aborted) return { ended: 'aborted', rounds: round - 1 }
    const { ran, first } = done
    pairs = first.length
    await kept.addTurns(ran, { round, first })
    if (round === 1 && stop.kind === 'clear') {
      const fit = timer.countRounds(stop.budgetMs)
      if (fit < minRounds) {
        kept.decideRounds('fixed')
        stop = { kind: 'rounds', rounds: Math.max(minStarts, fit) }
      }
    }
    const leading = compareIfSpent(kept, stop, context).figures.find(context.isAwaited)
    onProgress({ kind: 'turns', ...place(), pairs: round * pairs, leading })
    if (stop.kind === 'clear' && round < minRounds) continue
    const reason = reasonToEnd(stop, round, timer, context, () => compareBothSides(kept, context))
    if (reason === 'budget') kept.decideRounds('budget spent')
    if (reason !== null) return { ended: reason, rounds: round }
  }
}

/** Undefined after an abort: what fails then, such as the start of a server, fails because of it. */
const unlessAborted = <Value>(running: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> =>
  running.catch((error: unknown) => {
    if (signal.aborted) return undefined
    throw error
  })

async function runOnce(
  run: SideRun,
  { round, side }: { readonly round: number; readonly side: SideName },
  { runSide, signal, lent }: Pick<RoundsContext, 'runSide' | 'signal'> & Pick<SideControl, 'lent'>,
  onEvent: (event: SideEvent) => void,
): Promise<Result> {
  try {
    return await runSide(run, { signal, onEvent, lent })
  } catch (error) {
    throw explainFailedSide(side, round, error)
  }
}

function explainFailedSide(side: SideName, round: number, error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const kept = round > 1 ? ' The rounds before are kept, and `mongo-perf compare` compares them.' : ''
  const message = `${side.toUpperCase()} failed in round ${round}: ${error.message}`
  return new Problem(error.code, message, { hint: `${hintWithoutResume(error.hint, otherHint)}${kept}`, cause: error })
}

const otherHint = 'Measure this side with `mongo-perf run` to see more.'

/** @param compare Called after the first round, for what it refuses, and then only where the verdicts decide: more looks need another test. */
function reasonToEnd(
  stop: Stop,
  round: number,
  timer: Timer,
  { isAwaited }: Pick<RoundsContext, 'isAwaited'>,
  compare: () => ResultComparison,
): AbOutcome['ended'] | null {
  if (round === 1) compare()
  if (stop.kind === 'rounds') return round === stop.rounds ? 'rounds' : null
  if (round >= minRounds && !compare().figures.filter(isAwaited).some(isUnclear)) return 'clear'
  return timer.isSpent(stop) ? 'budget' : null
}

/** Compares as the last look would if it were now: for people to see, and never to decide by. */
function compareIfSpent({ results }: KeptResults, { kind }: Stop, context: RoundsContext): ResultComparison {
  const spend = (result: Result | null): Result | null =>
    result?.pairing && kind === 'clear' ? { ...result, pairing: { ...result.pairing, rounds: 'budget spent' } } : result
  const { a, b } = results()
  return compareBothSides({ results: () => ({ a: spend(a), b: spend(b) }) }, context)
}

function compareBothSides({ results }: Pick<KeptResults, 'results'>, { compare }: RoundsContext): ResultComparison {
  const { a, b } = results()
  if (a && b) return compare(a, b)
  throw new Error('Both sides have run')
}
