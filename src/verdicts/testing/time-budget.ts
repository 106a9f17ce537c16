import { Problem } from '../../core/errors.ts'
import { type Settings, type Timing } from './settings.ts'

/**
 * How long the measurements of a process may take together. It is soft: one that has begun is not cut short, and one that begins when it is spent
 * is not timed.
 */
export class TimeBudget {
  readonly #seconds: number
  readonly #print: (text: string) => void
  #spentMs = 0
  #isPrinted = false

  /** @param print Called the first time that something is not timed. */
  constructor(seconds: number, print: (text: string) => void) {
    this.#seconds = seconds
    this.#print = print
  }

  /** The timing of a measurement that begins now. */
  allow({ timing }: Settings, name: string): Timing {
    if ('notTimed' in timing || this.#spentMs < this.#seconds * 1000) return timing
    const notTimed = `the budget of ${this.#seconds} s is spent (MONGO_PERF_BUDGET)`
    if (!this.#isPrinted)
      this.#print(
        `${name}, and what is measured after it in this process, is not timed: ${notTimed}. Expectations of time pass.`,
      )
    this.#isPrinted = true
    return { notTimed }
  }

  spend(ms: number): void {
    this.#spentMs += ms
  }
}

/**
 * The seconds in the variable MONGO_PERF_BUDGET. Default: no limit.
 * @throws {Problem} "usage", when it is not a number above 0.
 */
export function budgetIn({ MONGO_PERF_BUDGET: given }: Readonly<Record<string, string | undefined>>): number {
  if (given === undefined) return Infinity
  const seconds = Number(given)
  if (given.trim() !== '' && seconds > 0) return seconds
  throw new Problem('usage', `The variable MONGO_PERF_BUDGET is "${given}", and must be a number of seconds above 0`, {
    hint: 'Set MONGO_PERF_BUDGET=60, or leave it out; MONGO_PERF=off measures no time at all.',
  })
}
