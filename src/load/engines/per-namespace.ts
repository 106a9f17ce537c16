import { type EngineMethod } from './engine.ts'
import { type NamedArguments, type Namespace } from './intent.ts'

/**
 * Makes what sends the calls of a method: once, or, where each call draws its collection, for each of them when it is first
 * drawn. The same collection is always the same object.
 */
export function perNamespace<Method extends EngineMethod, Made>(
  method: Method,
  make: (method: Method) => Made,
): (args: NamedArguments) => Made {
  const own = make(method)
  const drawn = new Map<Namespace, Made>()
  return ({ namespace }) => {
    if (namespace === undefined) return own
    const known = drawn.get(namespace)
    if (known !== undefined) return known
    const made = make({ ...method, ...namespace })
    drawn.set(namespace, made)
    return made
  }
}
