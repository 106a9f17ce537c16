import { type RateSearch, type RateStep } from '../../results/schema/rate.ts'

/** Bounds of a search. */
export type RateBounds = {
  readonly from: number
  readonly to: number
  /** How far from their middle the highest rate that held and the lowest that missed may lie, before the middle is confirmed. */
  readonly precisionPercent: number
}

/** A step that has been judged. */
export type TriedRate = Pick<RateStep, 'ratePerSecond' | 'purpose' | 'held'>

/** The next step, or the answer. */
export type NextRate =
  | Pick<RateStep, 'ratePerSecond' | 'purpose'>
  | { readonly found: Pick<RateSearch, 'ratePerSecond' | 'low' | 'high' | 'confirmed'> }

/** Maximum number of steps, since verdicts may contradict each other again and again. */
const maxSteps = 30

/**
 * Decides on the next step of a search by those before it. Rates are doubled until one misses, then halved in between until the interval
 * is narrow enough; a longer step in its middle confirms the answer, or becomes its upper end. A pause of the machine makes any rate miss
 * once, so a rate is too high when it has missed twice, or in a longer step.
 */
export function nextRate({ from, to, precisionPercent }: RateBounds, steps: readonly TriedRate[]): NextRate {
  const last = steps.at(-1)
  if (last === undefined) return { ratePerSecond: from, purpose: 'step' }
  if (last.purpose === 'step' && !last.held) return { ratePerSecond: last.ratePerSecond, purpose: 'again' }
  const { low, high } = findBounds(steps)
  const share = precisionPercent / 100
  if (last.purpose === 'confirm' && last.held) {
    const rate = last.ratePerSecond
    return { found: { ratePerSecond: rate, ...findInterval(steps, rate, share), confirmed: true } }
  }
  if (low === null || steps.length >= maxSteps) return { found: { ratePerSecond: low, low, high, confirmed: false } }
  if (high === null)
    return low < to
      ? { ratePerSecond: Math.min(to, low * 2), purpose: 'step' }
      : { ratePerSecond: to, purpose: 'confirm' }
  const middle = roundRate(Math.sqrt(low * high))
  if (high / low > (1 + share) / (1 - share)) return { ratePerSecond: middle, purpose: 'step' }
  return { ratePerSecond: high / low > 1 + share / 2 ? middle : low, purpose: 'confirm' }
}

/** The lowest rate that is too high, and the highest below it that held. */
export function findBounds(steps: readonly TriedRate[]): Pick<RateSearch, 'low' | 'high'> {
  const { held, missed } = splitByVerdict(steps)
  const high = min(missed)
  return { low: max(held.filter((rate) => rate < (high ?? Infinity))), high }
}

/**
 * The nearest rates on both sides of the found one that were tried, and are so far away that chance hardly decides on them: the verdict on
 * a rate that is closer is often another one the next time. The longer step has decided that the rate holds, and nothing as long that
 * a higher one does not. On the simulated queue of its test, nine in ten intervals contain the true rate. Where there is none so far
 * away, the farthest counts.
 */
function findInterval(steps: readonly TriedRate[], found: number, precision: number): Pick<RateSearch, 'low' | 'high'> {
  const { held, missed } = splitByVerdict(steps)
  const above = missed.filter((rate) => rate > found)
  return {
    low: max(held.filter((rate) => rate <= found * (1 - precision / 4))) ?? min(held),
    high: min(above.filter((rate) => rate >= found * (1 + precision / 2))) ?? max(above),
  }
}

/** Rates that held, and those that are too high. */
function splitByVerdict(steps: readonly TriedRate[]): {
  readonly held: readonly number[]
  readonly missed: readonly number[]
} {
  const isMissed = ({ purpose, held }: TriedRate): boolean => !held && purpose !== 'step'
  const rates = (these: readonly TriedRate[]): readonly number[] => these.map(({ ratePerSecond }) => ratePerSecond)
  return { held: rates(steps.filter(({ held }) => held)), missed: rates(steps.filter(isMissed)) }
}

const min = (rates: readonly number[]): number | null => (rates.length === 0 ? null : Math.min(...rates))
const max = (rates: readonly number[]): number | null => (rates.length === 0 ? null : Math.max(...rates))

/** Four digits are more than a search finds. */
const roundRate = (rate: number): number => Number(rate.toPrecision(4))
