import { type Result } from '../../results/schema.ts'
import { type SideName } from '../../results/schema/pairing.ts'
import { minRounds, minStarts } from '../../statistics/estimate.ts'
import { alternate, chooseSideOrder } from './alternate.ts'
import { type RunSide, type SideControl, type SideEvent, type SideRun } from './run-side.ts'

export const turnSeconds = 0.5

/** A turn, its lead-in, and what is read around it. */
const secondsOfPair = 1.2

/** Minimum of pairs in all rounds together; beyond this number in one round, more rounds say more. */
const [minPairs, maxPairsOfRound] = [8, 20]

/** One round of both sides, of which a new process each has made all pairs. */
export type RoundOfTurns = {
  readonly ran: Readonly<Record<SideName, Result>>
  /** The side that was first, in each pair. */
  readonly first: readonly SideName[]
}

/** A round of turns that begins. */
export type RoundOptions = {
  readonly runs: Readonly<Record<SideName, SideRun>>
  readonly seed: number
  /** Pairs of the rounds before: their orders go on. */
  readonly pairsBefore: number
  /** Pairs of the first round, which all have. Undefined: this is it. */
  readonly pairs: number | undefined
  /** For all rounds. */
  readonly budgetSeconds: number
  readonly runSide: RunSide
  readonly lend: () => SideControl['lent']
  readonly now: () => number
  readonly signal: AbortSignal
  readonly onEvent: (side: SideName, event: SideEvent) => void
  /** Called when a side fails, for the error to be thrown. */
  readonly explain: (side: SideName, error: unknown) => unknown
}

/**
 * Starts both sides, and has them send their calls in turns when both are ready. Pairs take about twice as long as both took to get ready, if the
 * budget holds that: what a round is worth grows with its pairs only as far as the noise of a pair goes, which was measured as 3 to 9 %, and that of a
 * start as 0 to 1 %. The interval is then within 3 % of the narrowest from 30 to 150 s, by Student's t.
 * @throws why a side failed; the other one is stopped then.
 */
export async function runRoundOfTurns(options: RoundOptions): Promise<RoundOfTurns> {
  const { runs, seed, pairsBefore, runSide, lend, now, signal, onEvent, explain } = options
  const begunMs = now()
  const first: SideName[] = []
  let { pairs } = options
  const turns = alternate(turnSeconds, () => {
    pairs ??= choosePairs((now() - begunMs) / 1000, options.budgetSeconds)
    const orders = Array.from({ length: pairs }, (_, pair) => chooseSideOrder(seed, pairsBefore + pair + 1))
    if (first.length === 0) first.push(...orders.map(([side]) => side))
    return orders
  })
  const failed = new AbortController()
  const control = { signal: AbortSignal.any([signal, failed.signal]) }

  async function run(side: SideName): Promise<Result> {
    try {
      const waitForTurn = (): Promise<number | undefined> => turns.wait(side)
      return await runSide(
        { ...runs[side], turnsOf: side },
        { ...control, lent: lend(), waitForTurn, onEvent: (event) => onEvent(side, event) },
      )
    } catch (error) {
      if (!failed.signal.aborted) failed.abort(explain(side, error))
      throw error
    } finally {
      turns.end()
    }
  }

  const [a, b] = await Promise.allSettled([run('a'), run('b')])
  if (a.status === 'rejected' || b.status === 'rejected') throw failed.signal.reason
  return { ran: { a: a.value, b: b.value }, first }
}

/**
 * Chooses the pairs of each round, so that six rounds fit into the budget, or else three, if that is possible.
 * @param readySeconds How long both sides took to get ready.
 */
export function choosePairs(readySeconds: number, budgetSeconds: number): number {
  const worthwhile = Math.round((2 * readySeconds) / secondsOfPair)
  for (const rounds of [minRounds, minStarts]) {
    const atLeast = Math.ceil(minPairs / rounds)
    const fitting = Math.floor((budgetSeconds / rounds - readySeconds) / secondsOfPair)
    if (fitting >= atLeast) return Math.min(maxPairsOfRound, fitting, Math.max(atLeast, worthwhile))
  }
  return Math.ceil(minPairs / minStarts)
}
