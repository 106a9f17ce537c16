import { type Json } from '../json.ts'
import { compileValue } from './compile.ts'
import { keepWithin, largestLet } from './draw-budget.ts'
import { type Moment } from './moment.ts'
import { child, nextSlot, type ValueScope } from './scope.ts'

/** Named values, and the scope in which `@var` reads them. */
export type CompiledLet = {
  readonly scope: ValueScope
  /** Makes the values, in their order, and puts them into their slots. */
  readonly evaluate: (moment: Moment) => void
}

/**
 * Compiles the values of a `let`: later ones see earlier ones.
 * @param within Where the `let` stands.
 */
export function compileLet(given: Readonly<Record<string, Json>>, within: ValueScope): CompiledLet {
  let scope = within
  const evaluations = Object.entries(given).map(([name, node]) => {
    const draw = compileValue(node, child(scope, 'let', name))
    const slot = nextSlot(scope)
    scope = { ...scope, variables: new Map([...scope.variables, [name, slot]]) }
    return { slot, draw }
  })
  return {
    scope,
    evaluate(moment) {
      // Where a value is used its bytes count, not where it is made.
      const { bytes } = moment
      for (const { slot, draw } of evaluations) {
        moment.variables[slot] = draw(moment)
        keepWithin(moment.bytes - bytes, [...within.path, 'let'], largestLet)
      }
      moment.bytes = bytes
    },
  }
}
