import { createMeeting, type Together } from '../load/beside.ts'
import { withOwnNumbers } from '../spec/plan/data-set.ts'
import { type PhaseSpec } from '../spec/schema/phase-schema.ts'
import { type EndedPhase } from './measure-phase.ts'
import { type PhasesContext } from './run-phases.ts'

/** Parts of the context that a load has of its own in its phase. */
export type BesideContext = Pick<PhasesContext, 'dataSets' | 'signal'> & {
  readonly together: Together
  /** Ends all loads of the phase: it counts as aborted. */
  readonly endPhase: () => void
}

/**
 * Runs the loads of a phase at the same time, usually a single one. Of several, each has row numbers of its own: rules see to it that no two of them take
 * rows of the same collection.
 * @returns how they ended, in their order.
 * @throws what the first one that fails throws, when all have ended.
 */
export async function runBeside(
  loads: readonly PhaseSpec[],
  { dataSets, signal }: Pick<PhasesContext, 'dataSets' | 'signal'>,
  run: (load: PhaseSpec, own: BesideContext) => Promise<EndedPhase>,
): Promise<readonly EndedPhase[]> {
  const ending = new AbortController()
  const together = createMeeting(loads.length)
  const ofAll = {
    together,
    signal: AbortSignal.any([signal, ending.signal]),
    endPhase: () => ending.abort(),
  }
  const own = loads.map(() =>
    loads.length === 1 ? dataSets : dataSets.map((dataSet) => withOwnNumbers(dataSet, dataSet.numbers.next())),
  )
  const running = loads.map(async (load, l) => {
    try {
      return await run(load, { ...ofAll, dataSets: own[l] ?? [] })
    } catch (error) {
      ending.abort()
      throw error
    } finally {
      together.leave()
    }
  })
  await Promise.allSettled(running)
  for (const [i, { numbers }] of dataSets.entries())
    numbers.goOnFrom(Math.max(...own.map((ofLoad) => ofLoad[i]?.numbers.next() ?? 0)))
  return await Promise.all(running)
}
