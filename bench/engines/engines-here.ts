import { createEngine } from '../../src/load/engines/create-engine.ts'
import { bundledDriver } from '../../src/load/engines/driver/load-driver.ts'
import { type PhaseEngine } from '../../src/load/engines/engine.ts'
import { type PhasePlan } from '../../src/load/plan/plan.ts'
import { type SpecInput } from '../../src/spec/spec-input.ts'
import { database } from './side.ts'

/** An engine of ours. */
export type EngineName = PhasePlan['engine']

/** The engine of a phase, as a run makes it. */
export const engineFor = (uri: string, phase: PhasePlan): PhaseEngine =>
  createEngine({ kind: phase.engine, driver: bundledDriver(), uri, database, phase })

/** A spec for an engine. */
export const specFor = (engine: EngineName, spec: SpecInput): SpecInput => ({ ...spec, engine })
