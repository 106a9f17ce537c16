import { type ComparedWith, compareRounds, type RoundQuantity } from './compare-rounds.ts'
import { type Expectation, judgeTime } from './judgement.ts'

/** Options that say which differences count. */
export type NoSlowerOptions = {
  /** Smallest difference that counts, in percent. Default 5: smaller differences do not matter. */
  readonly smallestEffectPercent?: number
}

/**
 * It is not slower than another measurement, by the verdict of their comparison: throughput of closed loops, mean latency of open ones. Rounds that
 * were measured in turn are compared round by round; others are not paired, and a machine that has changed meanwhile is part of the difference.
 *
 * Missed: the whole 95 % interval is worse than the smallest effect. A suite runs with every commit, so an interval that only leaves out "the same",
 * as one of forty does at random, would be a false alarm once a week.
 */
export const noSlowerThan: Expectation<readonly [other: ComparedWith, options?: NoSlowerOptions]> = (
  measurement,
  other,
  { smallestEffectPercent = 5 } = {},
) =>
  judgeTime(measurement, (measured) => {
    if (other.saved !== undefined) return { verdict: 'holds', ...other.saved }
    const quantity = 'workers' in measured.load ? throughput : latency
    return compareRounds(measured, other, quantity, smallestEffectPercent)
  })

const missing = 'there are rounds in which no operation succeeded'

const throughput: RoundQuantity = {
  better: 'higher',
  valueOf: ({ callsPerSecond }) => callsPerSecond,
  text: (now, before, name) => `made ${now} operations per second, and ${name} ${before}`,
  missing,
}

const latency: RoundQuantity = {
  better: 'lower',
  valueOf: ({ meanMs }) => meanMs,
  text: (now, before, name) => `had a mean latency of ${now} ms, and ${name} one of ${before} ms`,
  missing,
}
