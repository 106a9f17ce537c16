import { type Stop } from './run-rounds.ts'

/** The time of a comparison: two runs make a round. */
export type Timer = {
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
export function startTimer(stop: Stop, now: () => number): Timer {
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
