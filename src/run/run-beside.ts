import { createMeeting, type Together } from '../load/beside.ts'
import { type DataSet, withOwnNumbers } from '../spec/plan/data-set.ts'
import { type PhaseSpec } from '../spec/schema/phase-schema.ts'
import { type EndedPhase } from './measure-phase.ts'
import { type PhasesContext } from './run-phases.ts'

/** What a load has of its own in its phase. */
export type BesideContext = Pick<PhasesContext, 'dataSets' | 'signal'> & {
  readonly together: Together | undefined
  /** Ends all loads of the phase. */
  readonly endOthers: () => void
  /** One line is enough for loads that end together. */
  readonly showsProgress: boolean
}

/**
 * Runs the loads of a phase at the same time. Each has row numbers of its own: rules see to it that no two of them take rows of the same collection.
 * @returns how they ended, in their order.
 * @throws what the first one that fails throws, when all have ended.
 */
export async function runBeside(
  loads: readonly PhaseSpec[],
  { dataSets, signal }: Pick<PhasesContext, 'dataSets' | 'signal'>,
  run: (load: PhaseSpec, own: BesideContext) => Promise<EndedPhase>,
): Promise<readonly EndedPhase[]> {
  const [only, ...others] = loads
  if (only !== undefined && others.length === 0)
    return [await run(only, { dataSets, signal, together: undefined, endOthers: () => {}, showsProgress: true })]
  const ending = new AbortController()
  const endOthers = (): void => ending.abort()
  const together = createMeeting(loads.length)
  const ofLoads = loads.map(() => dataSets.map((dataSet) => withOwnNumbers(dataSet, dataSet.numbers.next())))
  const running = loads.map(async (load, l) => {
    try {
      return await run(load, {
        dataSets: ofLoads[l] ?? [],
        signal: AbortSignal.any([signal, ending.signal]),
        together,
        endOthers,
        showsProgress: l === 0,
      })
    } catch (error) {
      endOthers()
      throw error
    } finally {
      together.leave()
    }
  })
  await Promise.allSettled(running)
  for (const [i, { numbers }] of dataSets.entries())
    numbers.goOnFrom(Math.max(...ofLoads.map((own: readonly DataSet[]) => own[i]?.numbers.next() ?? 0)))
  return await Promise.all(running)
}
