import { placeKey, Stream } from '../../core/random.ts'
import { type Share, wholePhase } from './share.ts'

/** A rate in calls per second that changes in a straight line, or not at all. */
export type Ramp = { readonly seconds: number; readonly from: number; readonly to: number }

/** The distribution of the arrivals of an open loop over time: randomly, evenly, or in bursts of a mean size, which come randomly. */
export type Arrivals = 'poisson' | 'constant' | { readonly burstsOf: number }

/**
 * The variance of the number of arrivals in a span of time, divided by its mean. Of bursts, in spans that are longer than they
 * are: the mean of the squares of their geometric sizes, divided by the mean of the sizes.
 */
const computeDispersion = (arrivals: Arrivals): number => (typeof arrivals === 'string' ? 1 : 2 * arrivals.burstsOf - 1)

export const computeBurstSize = (dispersion: number): number => (dispersion + 1) / 2

/** Number that a drawn number of arrivals with this mean never exceeds. */
export const withChance = (mean: number, arrivals: Arrivals = 'poisson'): number =>
  mean + 5 * Math.sqrt(mean * computeDispersion(arrivals))

/** Returns the time when the next call is due, in milliseconds since the beginning of its pass; undefined when there are no more. */
export type ArrivalTimes = () => number | undefined

/**
 * Arrivals at a rate that changes with time. A clock that runs as fast as the rate would see one per tick: gaps with a mean of 1
 * are drawn on that clock and then read on ours. The nth gap depends on seed, place and n alone.
 * @param place Phase and pass.
 * @param share Which of the arrivals. Default: all.
 */
export function createArrivalTimes({
  ramps,
  arrivals,
  seed,
  place,
  share = wholePhase,
}: {
  readonly ramps: readonly Ramp[]
  readonly arrivals: Arrivals
  readonly seed: number
  readonly place: string
  readonly share?: Share | undefined
}): ArrivalTimes {
  const gap = createGaps(arrivals, new Stream(placeKey(seed, `${place}#arrival`)))
  let number = 0
  /** Calls on the clock of the rate, until the next one and until the current ramp; and when that ramp began. */
  let due = arrivals === 'constant' ? 0 : gap(0)
  let before = 0
  let beganMs = 0
  let current = 0

  function nextDue(): number | undefined {
    let ramp = ramps[current]
    while (ramp !== undefined && due - before >= callsIn(ramp)) {
      before += callsIn(ramp)
      beganMs += ramp.seconds * 1000
      current += 1
      ramp = ramps[current]
    }
    if (ramp === undefined) return undefined
    const dueMs = beganMs + msUntil(ramp, due - before)
    number += 1
    due += gap(number)
    return dueMs
  }

  const passOver = (count: number): void => {
    for (let i = 0; i < count; i++) nextDue()
  }
  passOver(share.index)
  let isFirst = true
  return () => {
    if (!isFirst) passOver(share.of - 1)
    isFirst = false
    return nextDue()
  }
}

/** Gaps before the arrivals, by their numbers, with a mean of 1. */
function createGaps(arrivals: Arrivals, draws: Stream): (number: number) => number {
  if (arrivals === 'constant') return () => 1
  // Of a number in [0, 1), so that the logarithm is never that of 0.
  if (arrivals === 'poisson') return (number) => -Math.log1p(-draws.at(number).float())
  const { burstsOf } = arrivals
  return (number) => {
    const drawn = draws.at(number)
    // Each call begins a burst or joins it, with the same chance, so that the sizes are geometric.
    return drawn.float() * burstsOf < 1 ? -Math.log1p(-drawn.float()) * burstsOf : 0
  }
}

export const callsIn = ({ seconds, from, to }: Ramp): number => ((from + to) / 2) * seconds

/** Time from the beginning of a ramp until it has brought a number of calls. */
function msUntil({ seconds, from, to }: Ramp, calls: number): number {
  if (calls === 0) return 0
  const slope = (to - from) / seconds
  const rateThen = Math.sqrt(Math.max(0, from * from + 2 * slope * calls))
  // The solution of from * t + slope * t² / 2 = calls in the form that divides by 0 for no ramp that has calls.
  return (2000 * calls) / (from + rateThen)
}
