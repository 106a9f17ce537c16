import { type Candidate, extendsIndex } from './candidate.ts'

/** Work of the server: keys and documents that it examines, documents that it sorts, and entries of indexes that it writes. */
export type Work = number

/** Indexes that are counted together: a single one, or one for each alternative of an `$or`, which help only together. */
export type Option = readonly Candidate[]

/** The work of the calls of one shape with the indexes of today, and with others beside them. */
export type CountedShape = {
  /** Number of calls. */
  readonly frequency: number
  /** Per call. */
  readonly today: Work
  /** Per call. An option that is missing changes nothing. */
  readonly withOption: ReadonlyMap<Option, Work>
}

/** Candidates of one collection, counted. */
export type Counted = {
  readonly shapes: readonly CountedShape[]
  readonly options: readonly Option[]
  /** Work that a candidate costs all writes of the collection. */
  readonly cost: (candidate: Candidate) => Work
}

/** Limits of a choice. */
export type ChooseLimits = {
  /** Maximum number of indexes. */
  readonly most: number
  /** Minimum that an index has to save, as a share of the work of today. */
  readonly smallest: number
}

/** Computes the work of all calls with a set of indexes. The server takes the best for each shape. */
export function computeWork({ shapes, cost }: Pick<Counted, 'shapes' | 'cost'>, chosen: readonly Candidate[]): Work {
  const reads = shapes.reduce((sum, { frequency, today, withOption }) => {
    const possible = [...withOption].filter(([option]) => option.every((one) => chosen.includes(one)))
    return sum + frequency * Math.min(today, ...possible.map(([, work]) => work))
  }, 0)
  return reads + chosen.reduce((sum, candidate) => sum + cost(candidate), 0)
}

/**
 * Chooses indexes step by step: each time the option that saves most beside the indexes chosen so far, replacing any that it extends. One
 * that brings nothing any more leaves again.
 * @param accepted Those to begin with.
 */
export function choose(
  counted: Counted,
  { most, smallest }: ChooseLimits,
  accepted: readonly Candidate[] = [],
): readonly Candidate[] {
  const least = smallest * computeWork(counted, [])
  const add = (chosen: readonly Candidate[], option: Option): readonly Candidate[] =>
    withoutIdle(
      counted,
      [...chosen.filter((other) => !option.some((one) => one === other || extendsIndex(one, other))), ...option],
      least,
    )
  let chosen = withoutIdle(counted, accepted, least)
  for (;;) {
    const sets = counted.options.map((option) => add(chosen, option)).filter((set) => set.length <= most)
    const [next] = sets
      .map((set) => ({ set, work: computeWork(counted, set) }))
      .toSorted((one, other) => one.work - other.work)
    if (next === undefined || computeWork(counted, chosen) - next.work <= least) return chosen
    chosen = next.set
  }
}

/** Leaves out the indexes without which the rest does as well. */
function withoutIdle(counted: Counted, set: readonly Candidate[], least: Work): readonly Candidate[] {
  const work = computeWork(counted, set)
  const idle = set.find((one) => {
    const rest = set.filter((other) => other !== one)
    return computeWork(counted, rest) <= work + least
  })
  if (idle === undefined) return set
  return withoutIdle(
    counted,
    set.filter((other) => other !== idle),
    least,
  )
}
