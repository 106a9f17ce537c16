import { type Clock } from '../../src/core/clock.ts'
import { type PhaseEngine } from '../../src/load/engines/engine.ts'
import { createLocalUnit } from '../../src/load/local-unit.ts'
import { type PhasePlan } from '../../src/load/plan/plan.ts'
import { wholePhase } from '../../src/load/plan/share.ts'
import { type LoadOptions, type LoadRun, runLoad } from '../../src/load/run-load.ts'

/** Runs a phase as one unit in this thread. */
export async function runHere({
  phase,
  engine,
  clock,
  dataSets = [],
  mayGoOn,
  ...options
}: {
  readonly phase: PhasePlan
  readonly engine: PhaseEngine
  readonly clock: Clock
  readonly mayGoOn?: () => boolean
} & Partial<LoadOptions>): Promise<LoadRun> {
  const unit = createLocalUnit({ phase, share: wholePhase, dataSets, engine, clock, evidence: [], mayGoOn })
  return await runLoad({
    phase,
    units: [unit],
    dataSets,
    clock,
    signal: new AbortController().signal,
    ...options,
  })
}

/** Calls of the measured pass that have ended. */
export const callsOf = ({ units }: Pick<LoadRun, 'units'>): number => units.reduce((sum, { calls }) => sum + calls, 0)
