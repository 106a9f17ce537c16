import { type SearchOutcome, type SearchStep } from '../../results/schema/windows.ts'
import { type StopAfter } from '../plan/plan.ts'
import { type PassRun } from '../run-pass.ts'

/** The order of windows: the next one, by those behind it. */
export type Course<Plan, Measured> = {
  /** @returns undefined when it is over. */
  readonly next: (behind: readonly Measured[]) => Promise<Plan | undefined> | Plan | undefined
}

/** The answer of a search. */
export type Outcome = Omit<SearchOutcome, 'holds'>

/** A course whose parts are loads of their own, with an answer. */
export type Search<Tried> = Course<SearchStep, Tried> & {
  /** The answer of the steps so far. */
  readonly outcome: (steps: readonly Tried[]) => Outcome
}

/** Measures what a course plans, until it is over. */
export async function follow<Plan, Measured>(
  { next }: Course<Plan, Measured>,
  measure: (plan: Plan, behind: readonly Measured[]) => Promise<Measured>,
): Promise<readonly Measured[]> {
  const behind: Measured[] = []
  for (let plan = await next(behind); plan !== undefined; plan = await next(behind))
    behind.push(await measure(plan, behind))
  return behind
}

/** A pass of a window. */
export type PassPlan = {
  /** Not before that, in the clock's milliseconds. Default: as soon as the units can. */
  readonly startMs?: number | undefined
  /** Beginning whose calls are not measured. Default: none. */
  readonly leadInSeconds?: number
  readonly stopAfter: StopAfter
  /** The pair that it belongs to, and whether the load that is on and off is on. Absent: it is none of a pair. */
  readonly of?: { readonly pair: number; readonly on: boolean }
}

/** Whether a load may go on after a pass. */
export const isWhole = ({ endedBecause }: Pick<PassRun, 'endedBecause'>): boolean =>
  endedBecause !== 'everything failed' && endedBecause !== 'aborted'

/**
 * One pass.
 * @param meet Waits for the loads that begin with it. Undefined: it begins alone.
 */
export const once = (stopAfter: StopAfter, meet: (() => Promise<number>) | undefined): Course<PassPlan, unknown> => ({
  next: async ({ length }) => (length === 0 ? { startMs: await meet?.(), stopAfter } : undefined),
})

/** A load that takes turns with that of another side: it sends calls only while it has the turn. */
export type Turns = {
  /** The side of a comparison that the load is of. Each has data of its own. */
  readonly side: string
  /**
   * Resolves when the turn comes: all calls of the other side have been answered by then.
   * @returns the length of the turn, or undefined when the phase has had enough of them.
   */
  readonly next: () => Promise<number | undefined>
}

/** Beginning of a turn whose calls are not measured: caches of the processor and connections are those of the other side. */
export const leadInSeconds = 0.05

/** Each turn goes on from a warm load, so a warm-up need not be longer. */
export const maxWarmupSeconds = 1

/** A window for each turn, in seconds. */
export const turns = ({ next }: Pick<Turns, 'next'>): Course<number, Pick<PassRun, 'endedBecause'>> => ({
  next: async (behind) => (behind.every(isWhole) ? await next() : undefined),
})
