import { readableNumber } from '../../../metrics/format.ts'
import { inRounds, isNoChance, type Expectation, judgeTime } from './judgement.ts'

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
