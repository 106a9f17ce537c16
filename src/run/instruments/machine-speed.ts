import { type Clock } from '../../clock.ts'
import { measureMachineSpeed } from '../../measure/machine-speed.ts'
import { type PhasePlan } from '../../plan/plan.ts'
import { type PhaseResult } from '../../results/schema.ts'

type Context = { readonly phase: Pick<PhasePlan, 'measured'>; readonly clock: Pick<Clock, 'now'> }

/** What was measured so lately, after the phase before, need not be measured again: it costs each row 0.1 s of CPU time. */
const recentMs = 2000
const lastAfter = new WeakMap<Context['clock'], { readonly atMs: number; readonly speed: number }>()

/**
 * Measures how fast the machine of the client is around a phase, for about 50 ms each time: before it connects and warms up, unless
 * a phase has ended within the last 2 s, and last of all after its window.
 */
export const machineSpeed = async ({ phase, clock }: Context) => {
  const before = phase.measured ? (recentSpeed(clock) ?? (await measureMachineSpeed(clock))) : null
  let after: number | null = null
  return {
    async close() {
      if (!phase.measured) return
      after = await measureMachineSpeed(clock)
      lastAfter.set(clock, { atMs: clock.now(), speed: after })
    },
    contribute: async (): Promise<Pick<PhaseResult, 'machineSpeed'>> => ({
      machineSpeed: before === null || after === null ? null : { before, after },
    }),
  }
}

function recentSpeed(clock: Context['clock']): number | undefined {
  const last = lastAfter.get(clock)
  return last !== undefined && clock.now() - last.atMs <= recentMs ? last.speed : undefined
}
