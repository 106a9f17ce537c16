import { isObject, type Json } from '../json.ts'
import { byValue, isDocument } from './bson-types.ts'
import { keepWithin } from './draw-budget.ts'
import { isWrapper, unwrap } from './extended-json.ts'
import { type Draw } from './draw-context.ts'
import { child, type ValueScope } from './scope.ts'
import { valueBytes } from './size.ts'

/** A value that is made once and shared by all documents and calls: it is frozen so that no one can change it. */
export function constant(node: Json, scope: ValueScope): Draw {
  const made = read(node, scope)
  const bytes = valueBytes(made)
  keepWithin(bytes, scope.path)
  return (drawContext) => {
    drawContext.bytes += bytes
    return made
  }
}

function read(node: Json, scope: ValueScope): unknown {
  if (typeof node === 'number') return byValue(node)
  if (Array.isArray(node)) return Object.freeze((node as readonly Json[]).map((item, i) => read(item, child(scope, i))))
  if (!isObject(node)) return node
  if (isWrapper(node)) return readWrapper(node, scope)
  return Object.freeze(
    Object.fromEntries(Object.entries(node).map(([key, item]) => [key, read(item, child(scope, key))])),
  )
}

function readWrapper(node: { readonly [type: string]: Json }, { path, report }: ValueScope): unknown {
  try {
    return unwrap(node)
  } catch (error) {
    report(path, `not valid Extended JSON: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

/** A copy of a frozen document: the driver adds the `_id` to a document that it inserts. */
export const unshared = (value: unknown): unknown =>
  isDocument(value) && Object.isFrozen(value) ? { ...value } : value
