import { type Json, type Path } from '../../core/json.ts'
import { expressionsIn } from '../expression.ts'
import { type Report } from '../issues.ts'
import { compileValue } from './compile.ts'
import { createDrawContext } from './draw-context.ts'
import { createCounter, type ValueScope } from './scope.ts'

/** Throws: a value that has been checked cannot be wrong. */
const neverWrong: Report = (_path, reason) => {
  throw new Error(reason)
}

/** A value in which nothing is drawn, with the types of Extended JSON: options of collections and indexes. */
export function fixedValue(node: Json, path: Path = [], report: Report = neverWrong): unknown {
  const scope: ValueScope = {
    seed: 0,
    place: '',
    path,
    inRow: false,
    call: undefined,
    rows: () => undefined,
    counter: createCounter,
    report,
    variables: new Map(),
  }
  return compileValue(node, scope)(createDrawContext())
}

/** Validates a value that is sent once, before any document exists, and returns it. */
export function validateFixed(node: Json, path: Path, report: Report): unknown {
  if (expressionsIn(node).every(({ keyword }) => keyword === '@literal')) return fixedValue(node, path, report)
  report(path, 'cannot hold drawn values: it is sent once, before any row exists')
  return undefined
}
