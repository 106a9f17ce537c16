import { Problem } from '../core/errors.ts'
import { placeKey, Stream } from '../core/random.ts'
import { type Result, type VariantResult } from '../results/schema.ts'
import { type TargetSpec } from '../servers/targets/index.ts'
import { type SpecRow } from '../spec/fold/read-rows.ts'
import { type LoadedSpec, type Repeat } from '../spec/load-spec.ts'
import { type Position } from './run-events.ts'

/** One run of one row. */
export type Turn<Row> = {
  readonly row: Row
  /** Round of the repeats, from 1. */
  readonly run: number
  readonly startUp: boolean
}

/** Work of a run, and the part of it that an earlier run has done. */
export type TurnPlan = {
  readonly repeat: Repeat
  /** Every run of every row, in the order in which they come. */
  readonly turns: readonly Turn<SpecRow>[]
  /** Runs that the result to go on with has. */
  readonly kept: readonly VariantResult[]
  readonly isKept: (turn: Turn<SpecRow>) => boolean
  /** The rows that are not finished yet. */
  readonly rowsToRun: readonly SpecRow[]
}

/**
 * @param repeat Runs of every row, instead of what the spec says.
 * @param resume A result whose finished rows are not run again.
 * @throws {Problem} "usage" when the result is of other work, or nothing is left to measure.
 */
export function planTurns(
  spec: LoadedSpec,
  { repeat: times, resume }: { readonly repeat?: number | undefined; readonly resume?: Result | undefined },
): TurnPlan {
  const repeat = resolveRepeat(spec, times)
  const kept = keptRows(spec, repeat, resume)
  const turns = orderTurns(spec.rows, repeat, spec.seed)
  const isKept: TurnPlan['isKept'] = (turn) => kept.some((run) => isSameRun(turn, run))
  const rowsToRun = turns.filter((turn) => !isKept(turn)).map(({ row }) => row)
  return { repeat, turns, kept, isKept, rowsToRun }
}

/** The targets of the rows that are not finished yet. */
export const targetsToRun = ({ rowsToRun }: TurnPlan): readonly TargetSpec[] => rowsToRun.map(({ spec }) => spec.target)

/** Whether all has been done that there was to do. */
export const isWhole = ({ turns }: TurnPlan, variants: readonly VariantResult[]): boolean =>
  variants.every(({ status }) => status === 'done') &&
  turns.every((turn) => variants.some((run) => isSameRun(turn, run)))

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

const isSameRun = ({ row, run }: Turn<SpecRow>, variant: VariantResult): boolean =>
  variant.row === row.index && variant.run === run

function resolveRepeat({ repeat }: LoadedSpec, times: number = repeat.times): Repeat {
  if (!Number.isSafeInteger(times))
    throw new Problem('usage', `${times} is not a number of runs`, { hint: 'Repeat 1, 2 or more times.' })
  if (times > repeat.startUpRuns) return { ...repeat, times }
  throw new Problem('usage', `With ${repeat.startUpRuns} start-up runs, ${times} of each row leave none to measure`, {
    hint: 'Repeat more often, or lower "startUpRuns" in the spec.',
  })
}

/** Returns the runs that are done, as start-up runs or not as the spec says now. */
function keptRows(
  spec: LoadedSpec,
  { times, startUpRuns }: Repeat,
  resume: Result | undefined,
): readonly VariantResult[] {
  if (!resume) return []
  if (resume.spec.hash !== spec.hash) {
    throw new Problem(
      'usage',
      'The earlier result cannot be resumed: the spec, its profile, a --set or --only, or the kind of target has changed',
      { hint: 'Leave out --resume to start again, or restore the spec.' },
    )
  }
  const done = resume.variants.filter(({ status }) => status === 'done')
  const runs = Math.max(0, ...done.map(({ run }) => run))
  if (runs > times)
    throw new Problem(
      'usage',
      `The result to go on with has ${runs} runs of a row, and ${times} would be left of them`,
      { hint: `Ask for them all with --repeat ${runs}, or leave out --resume to start again.` },
    )
  return done.map((variant) => countedAs(variant.run <= startUpRuns, variant))
}

const countedAs = (startUp: boolean, variant: VariantResult): VariantResult => ({ ...variant, startUp })

/** A turn whose time has come. */
export type ScheduledTurn = {
  readonly turn: Turn<SpecRow>
  readonly at: Position
  /** The row that is run after it. Undefined: it is the last. */
  readonly later: SpecRow | undefined
}

/** Places the turns in their order. */
export const scheduleTurns = ({ turns, isKept }: TurnPlan): readonly ScheduledTurn[] =>
  turns.map((turn, i) => ({
    turn,
    at: { label: turn.row.label, number: i + 1, of: turns.length },
    later: turns.slice(i + 1).find((other) => !isKept(other))?.row,
  }))
