import { Problem } from '../../core/errors.ts'
import { getOperation, isCalled } from '../../spec/operations/index.ts'
import { listMethods } from '../../spec/plan/phase-operations.ts'
import { type Spec } from '../../spec/schema/schema.ts'

/** @throws {Problem} "not-measurable-here" when the server is older than one of the operations. */
export function checkServerVersion({ phases }: Pick<Spec, 'phases'>, version: string): void {
  for (const { name, operations } of phases) {
    for (const { kind } of operations.filter(isCalled).flatMap(listMethods)) {
      const { needsServer } = getOperation(kind)
      if (needsServer === undefined || !isOlder(version, needsServer)) continue
      throw new Problem(
        'not-measurable-here',
        `"${kind}" in the phase "${name}" needs a server of ${needsServer} or newer, and this one is ${version}`,
        { hint: 'Measure a newer server, or take the operation out: "when" can leave it out for some rows.' },
      )
    }
  }
}

/** A version that cannot be read is not called old. */
function isOlder(version: string, than: string): boolean {
  const [major = Infinity, minor = 0] = parseVersionNumbers(version)
  const [minMajor = 0, minMinor = 0] = parseVersionNumbers(than)
  return major < minMajor || (major === minMajor && minor < minMinor)
}

const parseVersionNumbers = (version: string): readonly number[] =>
  /^\d+(\.\d+)*/.exec(version)?.[0].split('.').map(Number) ?? []
