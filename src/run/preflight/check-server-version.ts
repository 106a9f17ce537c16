import { Problem } from '../../core/errors.ts'
import { type Spec } from '../../spec/schema/schema.ts'
import { listMissing } from '../../spec/schema/server-needs.ts'

/** @throws {Problem} "not-measurable-here" when the server is older than something in the spec. */
export function checkServerVersion(spec: Pick<Spec, 'data' | 'phases'>, version: string): void {
  const [missing] = listMissing(spec, version)
  if (missing === undefined) return
  const { what, version: needed } = missing
  throw new Problem('not-measurable-here', `${what} needs a server of ${needed} or newer, and this one is ${version}`, {
    hint: 'Measure a newer server, or take it out of the spec: "when" can leave it out for some rows.',
  })
}
