import { encodeValue } from '../bson/encode-value.ts'
import { isObject, type Json } from '../json.ts'
import { byValue, isDocument } from './bson-types.ts'
import { keepWithin } from './draw-budget.ts'
import { isWrapper, unwrap } from './extended-json.ts'
import { type CompiledValue, type Write } from './draw-context.ts'
import { child, type ValueScope } from './scope.ts'
import { valueBytes } from './size.ts'

/** A value that is made once and shared by all documents and calls: it is frozen so that no one can change it. */
export function constant(node: Json, scope: ValueScope): CompiledValue {
  const made = read(node, scope)
  const bytes = valueBytes(made)
  keepWithin(bytes, scope.path)
  return {
    draw(drawContext) {
      drawContext.bytes += bytes
      return made
    },
    write: writeConstant(made),
  }
}

/** Encoded once, when it is first written. */
function writeConstant(value: unknown): Write {
  let encoded: ReturnType<typeof encodeValue> | undefined
  return (_drawContext, out) => {
    encoded ??= encodeValue(value)
    out.copy(encoded.bytes)
    return encoded.type
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
