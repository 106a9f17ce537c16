import { createDriverEngine, type DriverSettings } from './driver/driver-engine.ts'
import { type PhaseEngine } from './engine.ts'

/** Which engine sends the calls of a phase, and what it needs. */
export type EngineSettings = DriverSettings & { readonly kind: 'driver' }

/** The one place where an engine is chosen. */
export function createEngine(settings: EngineSettings): PhaseEngine {
  switch (settings.kind) {
    case 'driver':
      return createDriverEngine(settings)
  }
}
