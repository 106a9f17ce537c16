import { Problem } from '../errors.ts'
import { type LoadedSpec } from '../load-spec.ts'
import { type Result, type VariantResult } from '../results/schema.ts'
import { type SpecRow } from '../schema/read-rows.ts'
import { type TargetSpec } from '../targets/index.ts'
import { orderTurns, type Turn } from './order.ts'

/** What a run has to do, and what of it an earlier run has done. */
export type TurnPlan = {
  readonly repeat: LoadedSpec['repeat']
  /** Every run of every row, in the order in which they come. */
  readonly turns: readonly Turn<SpecRow>[]
  /** Those that the result to go on with has. */
  readonly kept: readonly VariantResult[]
  readonly isKept: (turn: Turn<SpecRow>) => boolean
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
  const repeat = repeatOf(spec, times)
  const kept = keptRows(spec, repeat, resume)
  return {
    repeat,
    turns: orderTurns(spec.rows, repeat, spec.seed),
    kept,
    isKept: (turn) => kept.some(({ row, run }) => row === turn.row.index && run === turn.run),
  }
}

/** The targets of the rows that are not finished yet. */
export const targetsToRun = ({ turns, isKept }: TurnPlan): readonly TargetSpec[] =>
  turns.filter((turn) => !isKept(turn)).map(({ row }) => row.spec.target)

function repeatOf({ repeat }: LoadedSpec, times: number = repeat.times): LoadedSpec['repeat'] {
  if (!Number.isSafeInteger(times))
    throw new Problem('usage', `${times} is no number of runs`, { hint: 'Repeat 1, 2 or more times.' })
  if (times > repeat.startUpRuns) return { ...repeat, times }
  throw new Problem('usage', `With ${repeat.startUpRuns} start-up runs, ${times} of each row leave none to measure`, {
    hint: 'Repeat more often, or lower "startUpRuns" in the spec.',
  })
}

/** Those that are done, as start-up runs or not as the spec says now. */
function keptRows(
  spec: LoadedSpec,
  { times, startUpRuns }: LoadedSpec['repeat'],
  resume: Result | undefined,
): readonly VariantResult[] {
  if (!resume) return []
  if (resume.spec.hash !== spec.hash) {
    throw new Problem(
      'usage',
      'The result to go on with is of other work: the spec, its profile, a --set or --only, or the kind of target has changed',
      {
        hint: 'Leave --resume out to start anew, or put the spec back.',
      },
    )
  }
  const done = resume.variants.filter(({ status }) => status === 'done')
  const runs = Math.max(0, ...done.map(({ run }) => run))
  if (runs > times)
    throw new Problem(
      'usage',
      `The result to go on with has ${runs} runs of a row, and ${times} would be left of them`,
      {
        hint: `Ask for them all with --repeat ${runs}, or leave --resume out to start anew.`,
      },
    )
  return done.map((variant) => countedAs(variant.run <= startUpRuns, variant))
}

const countedAs = (startUp: boolean, variant: VariantResult): VariantResult => ({ ...variant, startUp })
