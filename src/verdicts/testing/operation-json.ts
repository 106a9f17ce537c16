import { types } from 'node:util'
import { type EJSON } from 'bson'
import { type SpecInput } from '../../spec/spec-input.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { parseJson } from '../../spec/schema/parse-json.ts'
import { specText } from '../../spec/spec-text.ts'

/**
 * An operation as JSON. Values of BSON, dates, regular expressions, binary data and bigints become Extended JSON.
 * @param file Names the operation in messages.
 * @throws {Problem} "spec-invalid" for what JSON does not have otherwise, such as a function.
 */
export function operationJson(operation: object, file: string, ejson: typeof EJSON): JsonObject {
  const { value } = parseJson(specText(extended(operation, ejson) as SpecInput), file)
  return isObject(value) ? value : {}
}

function extended(value: unknown, ejson: typeof EJSON): unknown {
  if (Array.isArray(value)) return value.map((item) => extended(item, ejson))
  if (isBson(value)) return ejson.serialize({ value }, { relaxed: false })['value']
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, extended(item, ejson)]))
}

/** By what a value is, not by its class: test runners have classes of their own. */
const isBson = (value: unknown): boolean =>
  typeof value === 'bigint' ||
  types.isDate(value) ||
  types.isRegExp(value) ||
  types.isUint8Array(value) ||
  (typeof value === 'object' && value !== null && '_bsontype' in value)

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
