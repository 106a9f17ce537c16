import { type Result } from '../../results/schema.ts'
import { type SpecRow } from '../../spec/fold/read-rows.ts'
import { type Position } from '../run-events.ts'
import { type Turn } from './order.ts'
import { type TurnPlan } from './plan-turns.ts'

/** A turn whose time has come. */
export type ScheduledTurn = {
  readonly turn: Turn<SpecRow>
  readonly at: Position
  /** The row that is run after it, as far as that is known. */
  readonly later: SpecRow | undefined
}

/**
 * The turns one after the other: those of the plan, then those of runs that were slow, in rounds. Each round is chosen when it
 * begins, so that a second one looks at what the first has changed.
 * @param soFar The result, with the runs of the turns before.
 */
export function* scheduleTurns(
  { turns: planned, isKept, again }: TurnPlan,
  soFar: () => Pick<Result, 'variants'>,
): Generator<ScheduledTurn> {
  let before = 0
  for (let turns = planned; turns.length > 0; turns = again(soFar().variants)) {
    for (const [i, turn] of turns.entries()) {
      const at = { label: turn.row.label, number: before + i + 1, of: before + turns.length }
      const later = turns.slice(i + 1).find((other) => !isKept(other))?.row
      yield { turn, at, later }
    }
    before += turns.length
  }
}
