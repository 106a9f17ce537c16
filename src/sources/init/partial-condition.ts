import { isObject, type Json, type JsonObject } from '../../core/json.ts'

/** The operators that a partial index allows for a field. */
const tests: ReadonlySet<string> = new Set(['$eq', '$exists', '$gt', '$gte', '$lt', '$lte', '$type', '$in'])
/** Operators that any value of a field can satisfy. */
const ofAnyValue: ReadonlySet<string> = new Set(['$exists', '$type'])

/**
 * A filter that a partial index supports, because it includes the index's condition. A condition on a field replaces an
 * equality on it: a value outside the condition could not use the index.
 */
export function withCondition(filter: JsonObject, condition: JsonObject): JsonObject {
  const fields = Object.keys(filter).filter((field) => field in condition)
  if (fields.some((field) => isTests(filter[field]) && isTests(condition[field]))) return { $and: [filter, condition] }
  const both = fields.map((field) => [field, together(filter[field] ?? null, condition[field] ?? null)] as const)
  return { ...filter, ...condition, ...Object.fromEntries(both) }
}

function together(value: Json, condition: Json): Json {
  const takesAny = isTests(condition) && Object.keys(condition).every((test) => ofAnyValue.has(test))
  return takesAny ? { $eq: value, ...condition } : condition
}

const isTests = (node: Json | undefined): node is JsonObject =>
  isObject(node) && Object.keys(node).every((key) => tests.has(key))
