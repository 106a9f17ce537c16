import { readableNumber } from '../../../metrics/format.ts'
import { median } from '../../../metrics/statistics.ts'
import { inRounds, isNoChance, type Expectation, judgeTime } from './judgement.ts'

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
