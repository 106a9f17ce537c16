import { readableNumber } from '../../../metrics/format.ts'
import { median } from '../../../metrics/statistics.ts'
import { type Expectation, firstError, inRounds, isNoChance, judgeTime } from './judgement.ts'

/**
 * The 99th percentile of latency is below a limit. Missed: it is not, and in too many rounds for a coincidence.
 * @param limitMs In milliseconds, above 0.
 */
export const p99Below: Expectation<readonly [limitMs: number]> = (measurement, limitMs) =>
  judgeTime(measurement, ({ latency, rounds }) => {
    const p99Ms = latency?.p99Ms ?? Infinity
    const above = rounds.filter((round) => (round.p99Ms ?? Infinity) >= limitMs).length
    const because = `had a p99 of ${readableNumber(p99Ms)} ms, ${limitMs} ms or more ${inRounds(above, rounds.length)}; expected is less than ${limitMs} ms.`
    if (p99Ms < limitMs) return { verdict: 'holds', because }
    return { verdict: isNoChance(above, rounds.length) ? 'missed' : 'cannot tell', because }
  })

/**
 * The median round has more successful calls per second than a limit. Missed: it has not, and too many rounds have not for a coincidence.
 * @param callsPerSecond At least 0.
 */
export const throughputAbove: Expectation<readonly [callsPerSecond: number]> = (measurement, callsPerSecond) =>
  judgeTime(measurement, ({ rounds }) => {
    const middle = median(rounds.map((round) => round.callsPerSecond)) ?? 0
    const below = rounds.filter((round) => round.callsPerSecond <= callsPerSecond).length
    const because = `made ${readableNumber(middle)} operations per second, ${callsPerSecond} or fewer ${inRounds(below, rounds.length)}; expected are more than ${callsPerSecond}.`
    if (middle > callsPerSecond) return { verdict: 'holds', because }
    return { verdict: isNoChance(below, rounds.length) ? 'missed' : 'cannot tell', because }
  })

/** No call failed, neither in the rounds nor before them. */
export const noErrors: Expectation<readonly []> = (measurement) => {
  const { calls, firstErrors } = measurement
  const [early] = firstErrors
  if (early !== undefined) return { verdict: 'missed', because: `failed before anything was timed: ${early}.` }
  if (calls.failed === 0) return { verdict: 'holds', because: `had no error in ${calls.ok} operations.` }
  return {
    verdict: 'missed',
    because: `failed in ${calls.failed} of ${calls.ok + calls.failed} operations${firstError(measurement)}.`,
  }
}
