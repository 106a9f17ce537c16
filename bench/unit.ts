import { systemClock } from '../src/core/clock.ts'
import { startFineTimer } from '../src/core/threads/fine-timer.ts'
import { type PhaseEngine } from '../src/load/engines/engine.ts'
import { type LoadUnit, type UnitRun } from '../src/load/load-unit.ts'
import { createLocalUnit } from '../src/load/local-unit.ts'
import { type PhasePart } from '../src/load/measure/phase-part.ts'
import { PhaseTotal } from '../src/load/measure/phase-total.ts'
import { computeSharePart, type Share, wholePhase } from '../src/load/plan/share.ts'
import { type Compiled } from './compiled.ts'

export const createUnit = ({ phase, dataSets }: Compiled, engine: PhaseEngine, share = wholePhase): LoadUnit =>
  createLocalUnit({ phase, share, dataSets, engine, clock: systemClock, startTimer: startFineTimer, evidence: [] })

/** Makes so many operations, and merges their parts as a run does. */
export async function runOperations(
  { phase, dataSets }: Compiled,
  unit: LoadUnit,
  operations: number,
  share: Share = wholePhase,
): Promise<{ readonly run: UnitRun; readonly total: PhaseTotal }> {
  const total = new PhaseTotal(phase)
  const startMs = systemClock.now()
  const [run] = await unit.run(
    {
      pass: 'measured',
      stopAfter: { operations },
      workers: computeSharePart(phase.workers, share),
      startMs,
      windowStartMs: startMs,
      firstRows: dataSets.map(({ numbers }) => numbers.next()),
      goesOn: false,
    },
    ({ recorded, completeBefore }: { readonly recorded: PhasePart; readonly completeBefore: number }) => {
      total.add(recorded)
      total.closeBefore(completeBefore)
    },
  )
  if (run === undefined) throw new Error('The unit has run no share')
  return { run, total }
}
