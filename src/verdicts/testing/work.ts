import { type PhaseEngine } from '../../load/engines/engine.ts'
import { type LoadedPhase, type MethodPlan } from '../../load/plan/plan.ts'

/** What is measured: a function, or an operation of the spec. */
export type Work = {
  /** Makes the next call while its commands are looked at. Throws or rejects when it fails. */
  readonly watched: () => unknown
  /** Makes the calls that are timed. */
  readonly engine: Pick<PhaseEngine, 'send'>
  /** What its rounds are planned with. */
  readonly phase: Pick<LoadedPhase, 'engine' | 'calls'> & { readonly operation: MethodPlan }
}
