import { PhaseRecorder } from '../../src/load/measure/phase-part.ts'
import { PhaseTotal } from '../../src/load/measure/phase-total.ts'
import { type PhasePlan } from '../../src/load/plan/plan.ts'
import { type OperationResult } from '../../src/results/schema/calls.ts'
import { fakePhase } from './fake-calls.ts'

/** The results of a phase of which one recorder has seen all calls. */
export function recordCalls(
  plan: Partial<PhasePlan>,
  windowStartMs: number,
  makeCalls: (recorder: PhaseRecorder) => void,
): OperationResult[] {
  const phase = fakePhase(plan)
  const recorder = new PhaseRecorder(phase, windowStartMs)
  makeCalls(recorder)
  const total = new PhaseTotal(phase)
  total.add(recorder.take())
  return total.operations()
}
