/** How close measured values are to published ones. */
export type Closeness = {
  /** Number of values within a quarter. */
  readonly near: number
  /** Number of values that are off by more than a factor of 2. */
  readonly far: number
  readonly of: number
}

/** Within 25 %, upwards; downwards it is the reverse, so that both directions count alike. */
export const nearFactor = 1.25
const farFactor = 2

/**
 * Counts how many values are near.
 * @param factors Measured divided by published values.
 */
export function closenessOf(factors: readonly number[]): Closeness {
  const distances = factors.map(distanceOf)
  return {
    near: factors.filter(isNear).length,
    far: distances.filter((distance) => distance > farFactor).length,
    of: factors.length,
  }
}

const distanceOf = (factor: number): number => Math.max(factor, 1 / factor)

/** Whether a measured value, divided by the published one, is near 1. */
export const isNear = (factor: number): boolean => distanceOf(factor) <= nearFactor

/** "2 of 4 rows are within 25 % of the published ratio, 1 is off by more than a factor of 2". */
export function closenessText({ near, far, of }: Closeness, what: string): string {
  const off = far === 0 ? '' : `, ${far} ${isAre(far)} off by more than a factor of ${farFactor}`
  return `${near} of ${of} ${of === 1 ? 'row' : 'rows'} ${isAre(near)} within 25 % of the published ${what}${off}`
}

const isAre = (count: number): string => (count === 1 ? 'is' : 'are')
