import { type Json } from '../../core/json.ts'
import { compileValue } from './compile.ts'
import { keepWithin, largestLet, type DrawContext } from './draw-context.ts'
import { child, nextSlot, type ValueScope } from './scope.ts'

/** A compiled `let`, and the scope in which `@var` reads its values. */
export type CompiledLet = {
  readonly scope: ValueScope
  /** Draws the values in their order, and stores them in their slots. */
  readonly evaluate: (drawContext: DrawContext) => void
}

/**
 * Compiles the values of a `let`: later ones see earlier ones.
 * @param within Where the `let` stands.
 */
export function compileLet(given: Readonly<Record<string, Json>>, within: ValueScope): CompiledLet {
  let scope = within
  const path = [...within.path, 'let']
  const evaluations = Object.entries(given).map(([name, node]) => {
    const draw = compileValue(node, child(scope, 'let', name))
    const slot = nextSlot(scope)
    scope = { ...scope, variables: new Map([...scope.variables, [name, slot]]) }
    return { slot, draw }
  })
  return {
    scope,
    evaluate(drawContext) {
      // The bytes of a value count where it is used.
      const { bytes } = drawContext
      for (const { slot, draw } of evaluations) {
        drawContext.variables[slot] = draw(drawContext)
        keepWithin(drawContext.bytes - bytes, path, largestLet)
      }
      drawContext.bytes = bytes
    },
  }
}
