import { type Stop } from './run-rounds.ts'

export type Timer = {
  /** Measures how long a run takes. */
  readonly measure: <Value>(run: () => Promise<Value>) => Promise<Value>
  /** Until all rounds are done, or the budget is spent. Null: nothing has ended yet that it could be estimated by. */
  readonly secondsLeft: (stop: Stop) => number | null
  /** How many rounds fit into a time, by those that are done. */
  readonly countRounds: (budgetMs: number) => number
  /** Whether another round would be longer than the budget. */
  readonly isSpent: (stop: Stop) => boolean
}

/**
 * Starts the time.
 * @param runsOfRound How many runs, one after the other, make a round.
 * @param now Monotonic time in milliseconds.
 */
export function startTimer(runsOfRound: number, now: () => number): Timer {
  const begun = now()
  let [runs, ranMs, runBegun] = [0, 0, begun]

  const roundMs = (): number => (runsOfRound * ranMs) / runs
  const leftOf = (rounds: number): number | null =>
    runs === 0 ? null : (ranMs / runs) * (runsOfRound * rounds - runs) - (now() - runBegun)

  return {
    async measure(run) {
      runBegun = now()
      const value = await run()
      runs += 1
      ranMs += now() - runBegun
      runBegun = now()
      return value
    },
    secondsLeft(stop) {
      const left = stop.kind === 'rounds' ? leftOf(stop.rounds) : stop.budgetMs - (now() - begun)
      return left === null ? null : Math.max(0, left / 1000)
    },
    countRounds: (budgetMs) => Math.floor(budgetMs / roundMs()),
    isSpent: (stop) => stop.kind === 'clear' && now() - begun + roundMs() > stop.budgetMs,
  }
}
