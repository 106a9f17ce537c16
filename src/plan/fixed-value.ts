import { createCounter } from '../counter.ts'
import { type Json, type Path } from '../json.ts'
import { compileValue } from '../values/compile.ts'
import { createDrawContext } from '../values/draw-context.ts'
import { type Report, type ValueScope } from '../values/scope.ts'

/** What has been checked cannot be wrong. */
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
