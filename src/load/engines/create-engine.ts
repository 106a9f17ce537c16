import { createDriverEngine, type DriverSettings } from './driver/driver-engine.ts'
import { type PhaseEngine } from './engine.ts'
import { createWireEngine, type WireSettings } from './wire/wire-engine.ts'

/** Engine that sends the calls of a phase, and what it needs. */
export type EngineSettings = (DriverSettings & { readonly kind: 'driver' }) | (WireSettings & { readonly kind: 'wire' })

/** The one place where an engine is chosen. */
export function createEngine(settings: EngineSettings): PhaseEngine {
  switch (settings.kind) {
    case 'driver':
      return createDriverEngine(settings)
    case 'wire':
      return createWireEngine(settings)
  }
}
