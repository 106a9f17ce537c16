import { suggestion } from '../../language/issues.ts'
import { type Report } from '../../language/values/scope.ts'
import { type OperationFunctions } from '../../load/engines/operation-functions.ts'
import { methodsWithPaths } from '../plan/phase-operations.ts'
import { type Spec } from '../schema/schema.ts'

/**
 * Validates that the functions which operations call are there.
 * @param functions Undefined: they are not known yet.
 */
export function validateFunctions(
  spec: Pick<Spec, 'phases'>,
  functions: OperationFunctions | undefined,
  report: Report,
): void {
  if (functions === undefined) return
  for (const { method, path } of methodsWithPaths(spec))
    if (method.kind === 'function' && !Object.hasOwn(functions, method.function))
      report([...path, 'function'], reasonFor(method.function, Object.keys(functions)))
}

const reasonFor = (name: string, known: readonly string[]): string =>
  known.length === 0
    ? `no functions were passed: add --functions <module> with one that exports "${name}", or run(spec, { functions: { ${name} } })`
    : `no function "${name}" was passed${suggestion(name, known)}`
