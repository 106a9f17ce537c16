import { Problem } from '../../core/errors.ts'
import { isPlanned } from '../../metrics/rows/rows.ts'
import { type Result, type VariantResult } from '../../results/schema.ts'
import { type TargetSpec } from '../../servers/targets/index.ts'
import { type SpecRow } from '../../spec/fold/read-rows.ts'
import { type LoadedSpec, type Repeat } from '../../spec/load-spec.ts'
import { orderTurns, type Rounds, shuffledFor, type Turn } from './order.ts'
import { findSlowRuns } from './slow-runs.ts'

/** Work of a run, and the part of it that an earlier run has done. */
export type TurnPlan = {
  readonly repeat: Rounds
  /** Every run of every row, in the order in which they come. */
  readonly turns: readonly Turn<SpecRow>[]
  /** Runs that the result to go on with has. */
  readonly kept: readonly VariantResult[]
  readonly isKept: (turn: Turn<SpecRow>) => boolean
  /** One round of runs that were slow, to be run again: of each row the slowest, unless it has been run again often enough. */
  readonly again: (variants: readonly VariantResult[]) => readonly Turn<SpecRow>[]
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
  const again: TurnPlan['again'] = (variants) => turnsAgain(spec, repeat, variants)
  const left = [...turns.filter((turn) => !isKept(turn)), ...again(kept)]
  return { repeat, turns, kept, isKept, again, rowsToRun: left.map(({ row }) => row) }
}

/** The targets of the rows that are not finished yet. */
export const targetsToRun = ({ rowsToRun }: TurnPlan): readonly TargetSpec[] => rowsToRun.map(({ spec }) => spec.target)

/** Whether all has been done that there was to do. */
export const isWhole = ({ turns, again }: TurnPlan, variants: readonly VariantResult[]): boolean =>
  variants.every(({ status }) => status === 'done') &&
  turns.every((turn) => variants.some((run) => isSameRun(turn, run))) &&
  again(variants).length === 0

const isSameRun = ({ row, run, attempt }: Turn<SpecRow>, variant: VariantResult): boolean =>
  variant.row === row.index && variant.run === run && variant.attempt === attempt

function turnsAgain(
  { rows, seed }: LoadedSpec,
  { times, rerunSlow }: Rounds,
  variants: readonly VariantResult[],
): readonly Turn<SpecRow>[] {
  const repeated = variants.filter(({ attempt }) => attempt > 1)
  const slow = rows.flatMap((row) => {
    const ofRow = variants.filter((run) => run.row === row.index)
    const [slowest] = findSlowRuns(ofRow.filter(isPlanned))
    if (slowest === undefined || ofRow.filter((run) => repeated.includes(run)).length >= rerunSlow) return []
    const { run } = slowest.variant
    const attempt = ofRow.filter((other) => other.run === run).length + 1
    return [{ row, run, startUp: false, attempt, again: slowest.because }]
  })
  return shuffledFor(times + repeated.length + 1, slow, seed)
}

function resolveRepeat({ repeat }: LoadedSpec, times: number = repeat.times): Rounds {
  if (!Number.isSafeInteger(times))
    throw new Problem('usage', `${times} is not a number of runs`, { hint: 'Repeat 1, 2 or more times.' })
  if (times > repeat.startUpRuns) return { ...repeat, times, rerunSlow: getMaxSlowReruns({ ...repeat, times }) }
  throw new Problem('usage', `With ${repeat.startUpRuns} start-up runs, ${times} of each row leave none to measure`, {
    hint: 'Repeat more often, or lower "startUpRuns" in the spec.',
  })
}

/** A row takes at most a third longer, unless the spec asks for more. */
const runsPerRerun = 3
const maxReruns = 2

/** How many slow runs of a row may be run again. */
export const getMaxSlowReruns = ({ times, startUpRuns, rerunSlow }: Repeat): number =>
  rerunSlow ?? Math.min(maxReruns, Math.floor((times - startUpRuns) / runsPerRerun))

/** Returns the runs that are done, as start-up runs or not as the spec says now. */
function keptRows(
  spec: LoadedSpec,
  { times, startUpRuns }: Rounds,
  resume: Result | undefined,
): readonly VariantResult[] {
  if (!resume) return []
  if (resume.spec.hash !== spec.hash) {
    throw new Problem(
      'usage',
      'The earlier result cannot be resumed: the spec, its profile, a --set or --only, or the kind of target has changed',
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
