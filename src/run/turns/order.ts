import { placeKey, Stream } from '../../core/random.ts'
import { type Repeat } from '../../spec/load-spec.ts'

/** One run of one row. */
export type Turn<Row> = {
  readonly row: Row
  /** Round of the repeats, from 1. */
  readonly run: number
  readonly startUp: boolean
}

/**
 * Every row once per round. A single round keeps the written order; repeats are shuffled by the seed within each round, so
 * that no row always follows the same other one and a drifting machine does not favour the first.
 */
export function orderTurns<Row>(
  rows: readonly Row[],
  { times, startUpRuns }: Repeat,
  seed: number,
): readonly Turn<Row>[] {
  return Array.from({ length: times }, (_, i) => i + 1).flatMap((run) => {
    const round = times === 1 ? rows : shuffled(rows, new Stream(placeKey(seed, 'order')).at(run))
    return round.map((row) => ({ row, run, startUp: run <= startUpRuns }))
  })
}

/** Fisher and Yates. */
function shuffled<Item>(items: readonly Item[], stream: Stream): readonly Item[] {
  const list = [...items]
  for (let last = list.length - 1; last > 0; last--) {
    const other = stream.below(last + 1)
    ;[list[last], list[other]] = [list[other] as Item, list[last] as Item]
  }
  return list
}
