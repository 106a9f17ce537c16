import { type LoadedSpec, loadSpecFile, loadSpecText } from './load-spec.ts'
import { type Overrides } from './parse/overrides.ts'
import { type SpecInput } from './spec-input.ts'
import { specText } from './spec-text.ts'

/**
 * Reads and validates a spec: the path of a file, or a spec made with `defineSpec`. Contacts no server.
 * @throws {Problem} with all issues of the spec, each as `file:line:column: path: reason`.
 */
export async function loadSpec(spec: string | SpecInput, overrides: Overrides = {}): Promise<LoadedSpec> {
  return typeof spec === 'string' ? loadSpecFile(spec, overrides) : loadSpecText(specText(spec), 'spec', overrides)
}
