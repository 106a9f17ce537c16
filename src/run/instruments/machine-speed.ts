import { type Clock } from '../../core/clock.ts'
import { measureMachineSpeed } from '../../load/measure/machine-speed.ts'
import { type PhasePlan } from '../../load/plan/plan.ts'
import { type PhaseResult } from '../../results/schema.ts'

type MeasuredPhase = Pick<PhasePlan, 'measured'>
type OnlyNow = Pick<Clock, 'now'>

/** The speed measured last, by the clock of the run. */
const latest = new WeakMap<OnlyNow, { atMs: number; readonly speed: Promise<number> }>()
/** Phases that are shorter are not judged by the speed of the machine, and each measurement costs them 0.1 s of CPU time. */
const recentMs = 2000
/** Phases that had a window before: all windows of a phase are too short for a speed of their own. */
const begun = new WeakSet<MeasuredPhase>()

/**
 * Measures how fast the machine of the client is around a phase, for about 50 ms each time: before it connects and warms up, and
 * last of all after its first window. A measurement of the last 2 s, around this phase or the one before, is used again.
 */
export const machineSpeed = async (
  { phase }: { readonly phase: MeasuredPhase },
  { clock }: { readonly clock: OnlyNow },
) => {
  const maxAgeMs = begun.has(phase) ? Infinity : recentMs
  begun.add(phase)
  const measure = async (): Promise<number | null> => (phase.measured ? await speedNow(clock, maxAgeMs) : null)
  const before = await measure()
  let after: number | null = null
  return {
    disturbs: true as const,
    async close() {
      after = await measure()
    },
    contribute: async (): Promise<Pick<PhaseResult, 'machineSpeed'>> => ({
      machineSpeed: before === null || after === null ? null : { before, after },
    }),
  }
}

/** Takes a speed for the one measured last, however old: for tests of other things. Undefined: the next one is measured again. */
export function assumeSpeed(clock: OnlyNow, speed: number | undefined): void {
  if (speed === undefined) latest.delete(clock)
  else latest.set(clock, { atMs: Infinity, speed: Promise.resolve(speed) })
}

async function speedNow(clock: OnlyNow, maxAgeMs: number): Promise<number> {
  const last = latest.get(clock)
  if (last !== undefined && clock.now() - last.atMs <= maxAgeMs) return await last.speed
  // Kept at once: loads that begin at the same time measure it together.
  const measured = { atMs: Infinity, speed: measureMachineSpeed(clock) }
  latest.set(clock, measured)
  const speed = await measured.speed
  measured.atMs = clock.now()
  return speed
}
