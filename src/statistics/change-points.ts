/** Change of the level of a history, such as the throughput of one row in all runs so far. */
export type ChangePoint = {
  /** The first value of the new level: from `minSegment` up to the number of values less `minSegment`. */
  readonly index: number
  /** Mean of the new level over that of the old one, of logarithms, each up to the next change point. */
  readonly ratio: number
}

/** The change points in the order of the history, or how many values there have to be before anything is claimed. */
export type History =
  | { readonly kind: 'too few values'; readonly moreValues: number }
  | { readonly kind: 'change points'; readonly points: readonly ChangePoint[] }

/** With fewer, permutations are too few for a change to stand out from all of them. */
export const minValues = 10

/** Minimum of values of a level: one run that went wrong is no change. Of one that is newer, the place is found up to two values too early. */
export const minSegment = 3

const permutations = 199

/**
 * Finds change points by e-divisive means: the split that moves the distributions of both sides furthest apart (energy distance) is a change point
 * if fewer than one in twenty random orders of the values have such a split; then the same within the parts, until none is.
 *
 * Source: D. S. Matteson and N. A. James, "A nonparametric approach for multiple change point analysis of multivariate data", Journal of the American
 * Statistical Association 109, 2014, with exponent 1; here both sides of a split always reach to the ends of their part. On logarithms.
 * What is assumed is that values of one level are independent of each other: where a slow state of the machine lasts for several runs, it is a change.
 * @param values The oldest first, above 0, in any unit.
 * @param random Uniform random numbers, at least 0 and below 1. The same numbers find the same points.
 * @param errorRate Above 0 and below 1, by default 0.05: how often a history without a change is said to have one.
 * @throws {RangeError} A value that is not above 0, or not finite.
 */
export function findChangePoints(values: readonly number[], random: () => number, errorRate = 0.05): History {
  const logs = values.map(toLogarithm)
  if (logs.length < minValues) return { kind: 'too few values', moreValues: minValues - logs.length }
  let parts: readonly (readonly number[])[] = [logs]
  for (;;) {
    const split = bestSplit(parts)
    if (!split || !isSignificant(parts, split, random, errorRate)) break
    parts = parts.flatMap((part, i) => (i === split.part ? [part.slice(0, split.at), part.slice(split.at)] : [part]))
  }
  return { kind: 'change points', points: pointsBetween(parts) }
}

function toLogarithm(value: number): number {
  if (!(value > 0 && value < Infinity)) throw new RangeError(`A value of a history is above 0 and finite, not ${value}`)
  return Math.log(value)
}

type Split = { readonly part: number; readonly at: number; readonly distance: number }

function bestSplit(parts: readonly (readonly number[])[]): Split | undefined {
  let best: Split | undefined
  for (const [part, values] of parts.entries()) {
    const { at, distance } = widestSplit(values)
    if (distance > (best?.distance ?? 0)) best = { part, at, distance }
  }
  return best
}

/** The share of orders that have a split at least as wide, the measured order among them, is at or below the error rate. */
function isSignificant(
  parts: readonly (readonly number[])[],
  { distance }: Split,
  random: () => number,
  errorRate: number,
): boolean {
  const allowed = Math.floor(errorRate * (permutations + 1)) - 1
  let asWide = 0
  for (let i = 0; i < permutations && asWide <= allowed; i++) {
    const other = bestSplit(parts.map((part) => shuffled(part, random)))
    if (other && other.distance >= distance) asWide++
  }
  return asWide <= allowed
}

/**
 * The split with the greatest energy distance, scaled by mn / (m + n): twice the mean distance between the sides, less those within them.
 * All splits take one pass each over the values: the one that changes sides brings its own distances along.
 */
function widestSplit(values: readonly number[]): { readonly at: number; readonly distance: number } {
  const distanceTo = (value: number, from: number, until: number): number => {
    let sum = 0
    for (let i = from; i < until; i++) sum += Math.abs(value - (values[i] as number))
    return sum
  }
  let best = { at: 0, distance: 0 }
  let [left, between] = [0, 0]
  let right = values.reduce((sum, value, i) => sum + distanceTo(value, 0, i), 0)
  for (const [i, value] of values.entries()) {
    const [toLeft, toRight] = [distanceTo(value, 0, i), distanceTo(value, i + 1, values.length)]
    left += toLeft
    right -= toRight
    between += toRight - toLeft
    const [m, n] = [i + 1, values.length - i - 1]
    if (m < minSegment || n < minSegment) continue
    const energy = (2 * between) / (m * n) - (2 * left) / (m * (m - 1)) - (2 * right) / (n * (n - 1))
    const distance = (energy * m * n) / (m + n)
    if (distance > best.distance) best = { at: m, distance }
  }
  return best
}

/** Fisher and Yates. */
function shuffled(values: readonly number[], random: () => number): readonly number[] {
  const order = [...values]
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[order[last], order[other]] = [order[other] as number, order[last] as number]
  }
  return order
}

function pointsBetween(parts: readonly (readonly number[])[]): readonly ChangePoint[] {
  const points: ChangePoint[] = []
  let [index, before] = [0, Number.NaN]
  for (const part of parts) {
    const level = part.reduce((sum, value) => sum + value, 0) / part.length
    if (index > 0) points.push({ index, ratio: Math.exp(level - before) })
    index += part.length
    before = level
  }
  return points
}
