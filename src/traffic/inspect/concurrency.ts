/** Counts how many calls there are at the same time. */
export type Concurrency = {
  /** Takes calls in the order of their starts. */
  readonly add: (startUs: number, endUs: number) => void
  readonly max: () => number
}

/** More than servers take: no more are counted. */
const maxCounted = 20_000

/** Starts to count. */
export function createConcurrency(): Concurrency {
  /** Ends of the calls that are in progress, sorted. */
  const ends: number[] = []
  let max = 0
  return {
    add(startUs, endUs) {
      ends.splice(0, firstBeyond(ends, startUs))
      if (ends.length < maxCounted) ends.splice(firstBeyond(ends, endUs), 0, endUs)
      max = Math.max(max, ends.length)
    },
    max: () => max,
  }
}

/** The index of the first number that is greater. */
function firstBeyond(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  return low
}
