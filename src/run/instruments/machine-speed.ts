import { type Clock } from '../../clock.ts'
import { measureMachineSpeed } from '../../measure/machine-speed.ts'
import { type PhasePlan } from '../../plan/plan.ts'
import { type PhaseResult } from '../../results/schema.ts'

type Context = { readonly phase: Pick<PhasePlan, 'measured'>; readonly clock: Pick<Clock, 'now'> }

/**
 * Measures how fast the machine of the client is around a phase, for about 50 ms each time: before it connects and warms up, and
 * last of all after its window.
 */
export const machineSpeed = async ({ phase, clock }: Context) => {
  const measure = async (): Promise<number | null> => (phase.measured ? await measureMachineSpeed(clock) : null)
  const before = await measure()
  let after: number | null = null
  return {
    async close() {
      after = await measure()
    },
    contribute: async (): Promise<Pick<PhaseResult, 'machineSpeed'>> => ({
      machineSpeed: before === null || after === null ? null : { before, after },
    }),
  }
}
