import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { encodeValue } from '../../protocol/bson/encode-value.ts'
import { byValue, isDocument } from './bson-types.ts'
import { keepWithin, type CompiledValue, type Write } from './draw-context.ts'
import { isWrapper, unwrap } from './extended-json.ts'
import { type ValueScope } from './scope.ts'
import { valueBytes } from './size-and-hash.ts'

/** A value that is made once and shared by all documents and calls: it is frozen so that no one can change it. */
export function constant(node: Json, { path }: ValueScope): CompiledValue {
  const made = read(node)
  const bytes = valueBytes(made)
  keepWithin(bytes, path)
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

function read(node: Json): unknown {
  if (typeof node === 'number') return byValue(node)
  if (Array.isArray(node)) return Object.freeze((node as readonly Json[]).map(read))
  if (!isObject(node)) return node
  if (isWrapper(node)) return readTyped(node)
  return Object.freeze(Object.fromEntries(Object.entries(node).map(([key, item]) => [key, read(item)])))
}

function readTyped(node: JsonObject): unknown {
  try {
    return unwrap(node)
  } catch {
    // The check of the value has reported it.
    return null
  }
}

/** A copy of a frozen document: the driver adds the `_id` to a document that it inserts. */
export const unshared = (value: unknown): unknown =>
  isDocument(value) && Object.isFrozen(value) ? { ...value } : value
