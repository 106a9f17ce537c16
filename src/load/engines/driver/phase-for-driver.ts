import { type PhasePlan } from '../../plan/plan.ts'
import { callsFunctions } from '../engine.ts'
import { type LoadDriver } from './load-driver.ts'
import { createTranslate, translatePhase } from './translate.ts'

/**
 * The phase with values that the driver takes. Functions always get values of its own BSON: a driver takes those of another copy of the same
 * major version, but `instanceof` does not.
 */
export function phaseForDriver(phase: PhasePlan, { module, translate }: LoadDriver): PhasePlan {
  if (translate) return translatePhase(phase, translate)
  if (!callsFunctions(phase.operations)) return phase
  return translatePhase(phase, createTranslate(module.BSON), ({ kind }) => kind === 'function')
}
