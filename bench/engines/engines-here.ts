import { type SpecInput } from '../../src/define-spec.ts'
import { createEngine } from '../../src/engines/create-engine.ts'
import { ourDriver } from '../../src/engines/driver/load-driver.ts'
import { type PhaseEngine } from '../../src/engines/engine.ts'
import { type PhasePlan } from '../../src/plan/plan.ts'
import { database } from './side.ts'

/** An engine of ours. */
export type EngineName = 'driver' | 'wire'

type EngineHere = {
  /** What a spec says to get it. */
  readonly spec: Partial<SpecInput>
  readonly create: (uri: string, phase: PhasePlan) => PhaseEngine
}

/** The engines that there are. */
export const enginesHere: Readonly<Partial<Record<EngineName, EngineHere>>> = {
  driver: {
    spec: {},
    create: (uri, phase) => createEngine({ kind: 'driver', driver: ourDriver(), uri, database, phase }),
  },
}

/** A spec for an engine. */
export const specFor = (name: EngineName, spec: SpecInput): SpecInput => ({ ...spec, ...enginesHere[name]?.spec })

/** The engine whose own costs are asked about: the newest. */
export const ownEngine: EngineName = 'wire' in enginesHere ? 'wire' : 'driver'
