import { suggestion } from '../../language/issues.ts'
import { methodsWithPaths } from '../plan/phase-operations.ts'
import { type Rule } from '../rules/rule.ts'

/** The functions that operations call are there, where they are known yet. */
export const functionRule: Rule = {
  name: 'functions',
  reads: [],
  check(spec, report, { overrides: { functions: known } }) {
    if (known === undefined) return
    for (const { method, path } of methodsWithPaths(spec))
      if (method.kind === 'function' && !Object.hasOwn(known, method.function))
        report([...path, 'function'], reasonFor(method.function, Object.keys(known)))
  },
}

const reasonFor = (name: string, known: readonly string[]): string =>
  known.length === 0
    ? `no functions were passed: add --functions <module> with one that exports "${name}", or run(spec, { functions: { ${name} } })`
    : `no function "${name}" was passed${suggestion(name, known)}`
