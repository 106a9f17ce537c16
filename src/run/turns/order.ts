import { placeKey, Stream } from '../../core/random.ts'

/** One run of one row. */
export type Turn<Row> = {
  readonly row: Row
  /** Round of the repeats, from 1. */
  readonly run: number
  readonly startUp: boolean
  /** 1 for the first of its round. */
  readonly attempt: number
  /** Slowness of the run before, which this one is to replace. Null: it is the first of its round. */
  readonly again: string | null
}

/** How many runs of every row there are, how many of them are start-up runs, and how many slow ones may be run again. */
export type Rounds = { readonly times: number; readonly startUpRuns: number; readonly rerunSlow: number }

/**
 * Every row once per round. A single round keeps the written order; repeats are shuffled by the seed within each round, so
 * that no row always follows the same other one and a drifting machine does not favour the first.
 */
export function orderTurns<Row>(
  rows: readonly Row[],
  { times, startUpRuns }: Pick<Rounds, 'times' | 'startUpRuns'>,
  seed: number,
): readonly Turn<Row>[] {
  return Array.from({ length: times }, (_, i) => i + 1).flatMap((run) => {
    const round = times === 1 ? rows : shuffledFor(run, rows, seed)
    return round.map((row) => ({ row, run, startUp: run <= startUpRuns, attempt: 1, again: null }))
  })
}

/** The seeded order of what is run in a round. */
export const shuffledFor = <Item>(round: number, items: readonly Item[], seed: number): readonly Item[] =>
  shuffled(items, new Stream(placeKey(seed, 'order')).at(round))

/** Fisher and Yates. */
function shuffled<Item>(items: readonly Item[], stream: Stream): readonly Item[] {
  const list = [...items]
  for (let last = list.length - 1; last > 0; last--) {
    const other = stream.below(last + 1)
    ;[list[last], list[other]] = [list[other] as Item, list[last] as Item]
  }
  return list
}
