import { loadSpecText, type LoadedSpec } from '../../../spec/load-spec.ts'
import { type SpecWork } from '../messages.ts'
import { type Permissions } from './phase-worker.ts'

/**
 * Validates the spec of a run as `run` does, with the permissions of this machine.
 * @throws {Problem} when the spec does what this machine does not allow.
 */
export function loadWork({ spec, only, existing, hash }: SpecWork, { allow, allowWrites }: Permissions): LoadedSpec {
  const loaded = loadSpecText(spec, 'spec of the run', {
    only,
    existing,
    allow,
    allowWrites,
    // Faults are injected by the coordinator.
    allowStepDown: true,
    filesElsewhere: true,
    functions: {},
  })
  if (loaded.hash === hash) return loaded
  throw new Error('The spec does not describe the same work here as for the coordinator of the run')
}
