import { countUpTo } from '../../metrics/statistics.ts'

/** Counts how many calls there are at the same time. */
export type Concurrency = {
  /** Takes calls in the order of their starts. */
  readonly add: (startUs: number, endUs: number) => void
  readonly max: () => number
}

/** Maximum number of calls to count: more than servers accept. */
const maxCounted = 20_000

export function createConcurrency(): Concurrency {
  /** Ends of the calls that are in progress, sorted. */
  const ends: number[] = []
  let max = 0
  return {
    add(startUs, endUs) {
      ends.splice(0, countUpTo(ends, startUs, Number))
      if (ends.length < maxCounted) ends.splice(countUpTo(ends, endUs, Number), 0, endUs)
      max = Math.max(max, ends.length)
    },
    max: () => max,
  }
}
