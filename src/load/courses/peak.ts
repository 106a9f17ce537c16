import { roundTrips } from '../../metrics/limited-by/round-trips.ts'
import { type WindowResult } from '../../results/schema/windows.ts'
import { type Search } from './course.ts'

/** How the best number of workers is looked for. */
export type PeakBounds = {
  /** Workers of the first step, and the most that are tried. */
  readonly from: number
  readonly to: number
  /** How many times the workers of a step the next one has. */
  readonly factor: number
  /** Share of throughput that counts as growth. */
  readonly gain: number
  /** How far below the greatest throughput, as a share of it, the best number of workers may lie. */
  readonly margin: number
}

/** A step that has been measured. Its place is a number of workers. */
export type TriedWorkers = Pick<WindowResult, 'at' | 'purpose' | 'held' | 'opsPerSecond' | 'limitedBy'>

/**
 * Looks for the best number of workers: the smallest whose throughput is within the margin of the greatest. More and more are tried, until steps no
 * longer bring more throughput than the last one that grew; a longer step with the best number confirms the answer. A step in which everything fails
 * is the last.
 */
export const peak = (bounds: PeakBounds): Search<TriedWorkers> => ({
  next(behind) {
    const last = behind.at(-1)
    if (last === undefined) return { at: bounds.from, purpose: 'step' }
    if (last.purpose === 'confirm' || !last.held) return undefined
    if (last.at < bounds.to && mayGrow(behind, bounds)) return { at: nextWorkers(last.at, bounds), purpose: 'step' }
    const best = findBest(behind, bounds)
    return best && { at: best.at, purpose: 'confirm' }
  },
  outcome(behind) {
    const best = findBest(behind, bounds)
    if (best === undefined) return { found: null, low: null, high: null, confirmed: false }
    const { at: found, opsPerSecond } = best
    const tried = behind.map(({ at }) => at)
    const least = opsPerSecond * (1 - Math.max(bounds.gain, bounds.margin))
    return {
      found,
      low: tried.findLast((at) => at < found) ?? null,
      high: tried.find((at) => at > found) ?? null,
      confirmed: behind.some((step) => step.purpose === 'confirm' && step.held && step.opsPerSecond >= least),
    }
  },
})

const nextWorkers = (workers: number, { to, factor }: PeakBounds): number =>
  Math.min(to, Math.max(workers + 1, Math.round(workers * factor)))

/** Steps in a row without growth that end a search: a single one may be slow at random, unless something was used up in it. */
const stepsWithoutGrowth = 2

function mayGrow(steps: readonly TriedWorkers[], { gain }: PeakBounds): boolean {
  let grownTo = 0
  let withoutGrowth = 0
  for (const { opsPerSecond } of steps) {
    const hasGrown = opsPerSecond > grownTo * (1 + gain)
    if (hasGrown) grownTo = opsPerSecond
    withoutGrowth = hasGrown ? 0 : withoutGrowth + 1
  }
  return withoutGrowth < (steps.slice(-1).some(isUsedUp) ? 1 : stepsWithoutGrowth)
}

/** Whether something stood in the way of more calls. More workers wait for round trips at the same time. */
const isUsedUp = ({ limitedBy }: TriedWorkers): boolean => limitedBy !== null && !limitedBy.startsWith(roundTrips.name)

/** Undefined: nothing succeeded. */
function findBest(steps: readonly TriedWorkers[], { margin }: PeakBounds): TriedWorkers | undefined {
  const climbed = steps.filter(({ purpose }) => purpose === 'step')
  const greatest = Math.max(0, ...climbed.map(({ opsPerSecond }) => opsPerSecond))
  return climbed.find(({ opsPerSecond }) => opsPerSecond > 0 && opsPerSecond >= greatest * (1 - margin))
}
