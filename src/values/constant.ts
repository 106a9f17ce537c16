import { isObject, type Json } from '../json.ts'
import { byValue, isDocument } from './bson-types.ts'
import { keepWithin } from './draw-budget.ts'
import { isWrapper, unwrap } from './extended-json.ts'
import { type Draw } from './moment.ts'
import { child, type ValueScope } from './scope.ts'
import { valueBytes } from './size.ts'

/** A value that is made once, the same for every row and call: it is frozen, so that nobody changes it for the others. */
export function constant(node: Json, scope: ValueScope): Draw {
  const made = read(node, scope)
  const bytes = valueBytes(made)
  keepWithin(bytes, scope.path)
  return (moment) => {
    moment.bytes += bytes
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

/** A document that may be written to: the driver puts the `_id` into what it inserts. */
export const unshared = (value: unknown): unknown =>
  isDocument(value) && Object.isFrozen(value) ? { ...value } : value
