import { PhaseRecorder } from '../../../src/load/measure/phase-part.ts'
import { type PartOf } from '../../../src/load/part-sink.ts'
import { type PhasePlan } from '../../../src/load/plan/plan.ts'
import { fakePhase, failedOutcome, okOutcome, unknownOutcome } from '../../fakes/fake-calls.ts'

const outcomes = { ok: okOutcome(), failed: failedOutcome(), unknown: unknownOutcome() }
const call = { operation: 0, args: [] as never, bytes: 0, documents: 1, number: 0 }

/** A recorder of one operation whose window began at 0. */
export function recorder(plan: Partial<PhasePlan> = {}) {
  const phase = new PhaseRecorder(fakePhase(plan), 0)
  return {
    phase,
    call,
    ends: (endMs: number, ms: number, outcome: keyof typeof outcomes = 'ok') =>
      phase.record(call, endMs - ms, endMs, outcomes[outcome]),
    take: () => phase.take(),
  }
}

/** Where a part was measured that is handed over then. */
export const partAt = (nowMs: number, changes: Partial<PartOf> = {}): PartOf => ({
  phase: 'read',
  operations: ['findOne'],
  pass: 'measured',
  load: 'closed',
  workers: 4,
  inFlight: 3,
  stopAfter: { seconds: 10 },
  startMs: 0,
  windowStartMs: 0,
  nowMs,
  completeBefore: Math.floor(nowMs / 1000),
  isLast: false,
  ...changes,
})
