import { type SearchStep, type WindowResult } from '../../results/schema/windows.ts'
import { type Outcome, type Search } from './course.ts'

/** Bounds of a search. */
export type RateBounds = {
  readonly from: number
  readonly to: number
  /** How far from their middle the highest rate that held and the lowest that missed may lie, before the middle is confirmed. */
  readonly precisionPercent: number
}

/** A step that has been judged. Its place is a rate. */
export type TriedRate = Pick<WindowResult, 'at' | 'purpose' | 'held'>

/** Maximum number of steps, since verdicts may contradict each other again and again. */
const maxSteps = 30

/**
 * Looks for the highest rate that holds. Rates are doubled until one misses, then halved in between until the interval
 * is narrow enough; a longer step in its middle confirms the answer, or becomes its upper end. A pause of the machine makes any rate miss
 * once, so a rate is too high when it has missed twice, or in a longer step.
 */
export const rate = (bounds: RateBounds): Search<TriedRate> => ({
  next: (steps) => (steps.length === 0 ? { at: bounds.from, purpose: 'step' } : nextRate(bounds, steps)),
  outcome: (steps) => findOutcome(bounds, steps),
})

function nextRate({ to, precisionPercent }: RateBounds, steps: readonly TriedRate[]): SearchStep | undefined {
  const last = steps.at(-1)
  if (last?.purpose === 'step' && !last.held) return { at: last.at, purpose: 'again' }
  const { low, high } = findBounds(steps)
  if (isConfirmed(steps) || low === null || steps.length >= maxSteps) return undefined
  if (high === null) return low < to ? { at: Math.min(to, low * 2), purpose: 'step' } : { at: to, purpose: 'confirm' }
  const share = precisionPercent / 100
  const middle = roundRate(Math.sqrt(low * high))
  if (high / low > (1 + share) / (1 - share)) return { at: middle, purpose: 'step' }
  return { at: high / low > 1 + share / 2 ? middle : low, purpose: 'confirm' }
}

const isConfirmed = (steps: readonly TriedRate[]): boolean => {
  const last = steps.at(-1)
  return last?.purpose === 'confirm' && last.held
}

function findOutcome(bounds: RateBounds, steps: readonly TriedRate[]): Outcome {
  const found = steps.at(-1)?.at ?? null
  if (found !== null && isConfirmed(steps))
    return { found, ...findInterval(steps, found, bounds.precisionPercent / 100), confirmed: true }
  const ends = findBounds(steps)
  const isOver = steps.length > 0 && nextRate(bounds, steps) === undefined
  return { found: isOver ? ends.low : null, ...ends, confirmed: false }
}

/** The lowest rate that is too high, and the highest below it that held. */
function findBounds(steps: readonly TriedRate[]): Pick<Outcome, 'low' | 'high'> {
  const { held, missed } = splitByVerdict(steps)
  const high = min(missed)
  return { low: max(held.filter((at) => at < (high ?? Infinity))), high }
}

/**
 * The nearest rates on both sides of the found one that were tried, and are so far away that chance hardly decides on them: the verdict on
 * a rate that is closer is often another one the next time. The longer step has decided that the rate holds, and nothing as long that
 * a higher one does not. On the simulated queue of its test, nine in ten intervals contain the true rate. Where there is none so far
 * away, the farthest counts.
 */
function findInterval(steps: readonly TriedRate[], found: number, precision: number): Pick<Outcome, 'low' | 'high'> {
  const { held, missed } = splitByVerdict(steps)
  const above = missed.filter((at) => at > found)
  return {
    low: max(held.filter((at) => at <= found * (1 - precision / 4))) ?? min(held),
    high: min(above.filter((at) => at >= found * (1 + precision / 2))) ?? max(above),
  }
}

/** Rates that held, and those that are too high. */
function splitByVerdict(steps: readonly TriedRate[]): {
  readonly held: readonly number[]
  readonly missed: readonly number[]
} {
  const isMissed = ({ purpose, held }: TriedRate): boolean => !held && purpose !== 'step'
  const rates = (these: readonly TriedRate[]): readonly number[] => these.map(({ at }) => at)
  return { held: rates(steps.filter(({ held }) => held)), missed: rates(steps.filter(isMissed)) }
}

const min = (rates: readonly number[]): number | null => (rates.length === 0 ? null : Math.min(...rates))
const max = (rates: readonly number[]): number | null => (rates.length === 0 ? null : Math.max(...rates))

/** Four digits are more than a search finds. */
const roundRate = (exact: number): number => Number(exact.toPrecision(4))
