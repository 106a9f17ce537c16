import { type RateSearch, type RateStep } from '../../results/schema/rate.ts'

/** Bounds of a search. */
export type RateBounds = {
  readonly from: number
  readonly to: number
  /** How far from the found rate the ends of its interval may lie. */
  readonly precisionPercent: number
}

/** A step that has been judged. */
export type TriedRate = Pick<RateStep, 'ratePerSecond' | 'purpose' | 'held'>

/** What follows the steps so far: one more, or the answer. */
export type NextRate =
  | Pick<RateStep, 'ratePerSecond' | 'purpose'>
  | { readonly found: Pick<RateSearch, 'ratePerSecond' | 'low' | 'high' | 'confirmed'> }

/** Where verdicts contradict each other again and again, a search ends nevertheless. */
const maxSteps = 40

/**
 * Decides on the next step of a search by those before it. Rates are doubled until one misses, then halved in between until the interval
 * is narrow enough; a longer step in its middle confirms the answer, or becomes its upper end. A pause of the machine makes any rate miss
 * once, so a rate is too high when it has missed twice, or in a longer step.
 */
export function nextRate({ from, to, precisionPercent }: RateBounds, steps: readonly TriedRate[]): NextRate {
  const last = steps.at(-1)
  if (last === undefined) return { ratePerSecond: from, purpose: 'step' }
  if (last.purpose === 'step' && !last.held) return { ratePerSecond: last.ratePerSecond, purpose: 'again' }
  const { low, high } = findInterval(steps)
  if (last.purpose === 'confirm' && last.held) {
    const before = findInterval(steps.slice(0, -1))
    return { found: { ratePerSecond: last.ratePerSecond, low: before.low, high, confirmed: true } }
  }
  if (low === null || steps.length >= maxSteps) return { found: { ratePerSecond: low, low, high, confirmed: false } }
  if (high === null)
    return low < to
      ? { ratePerSecond: Math.min(to, low * 2), purpose: 'step' }
      : { ratePerSecond: to, purpose: 'confirm' }
  const share = precisionPercent / 100
  const middle = roundRate(Math.sqrt(low * high))
  if (high / low > (1 + share) / (1 - share)) return { ratePerSecond: middle, purpose: 'step' }
  return { ratePerSecond: high / low > 1 + share / 2 ? middle : low, purpose: 'confirm' }
}

/** The lowest rate that is too high, and the highest below it that held. */
export function findInterval(steps: readonly TriedRate[]): Pick<RateSearch, 'low' | 'high'> {
  const missed = steps
    .filter(({ purpose, held }) => !held && purpose !== 'step')
    .map(({ ratePerSecond }) => ratePerSecond)
  const high = missed.length === 0 ? null : Math.min(...missed)
  const below = steps.filter(({ held, ratePerSecond }) => held && ratePerSecond < (high ?? Infinity))
  return { low: below.length === 0 ? null : Math.max(...below.map(({ ratePerSecond }) => ratePerSecond)), high }
}

/** Four digits are more than a search finds. */
const roundRate = (rate: number): number => Number(rate.toPrecision(4))
