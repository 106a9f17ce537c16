import { type Search } from './course.ts'
import { rate, type RateBounds, type TriedRate } from './rate.ts'

/**
 * Looks for the smallest size with which limits hold: the search for a rate in a mirror, from the largest size down. What shrinks keeps what is used
 * most, so its steps begin warm; what grows would have to be filled first. Sizes are whole numbers.
 */
export function hold({ from, to, precisionPercent }: RateBounds): Search<TriedRate> {
  const mirrored = rate({ from: 1 / from, to: 1 / to, precisionPercent })
  return {
    async next(steps) {
      const next = await mirrored.next(steps.map(mirror))
      return next && { ...next, at: invert(next.at) }
    },
    outcome(steps) {
      const { found, low, high, confirmed } = mirrored.outcome(steps.map(mirror))
      return { found: found && invert(found), low: high && invert(high), high: low && invert(low), confirmed }
    },
  }
}

const mirror = (step: TriedRate): TriedRate => ({ ...step, at: 1 / step.at })

const invert = (at: number): number => Math.round(1 / at)
