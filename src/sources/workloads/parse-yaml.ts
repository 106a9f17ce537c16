import { parseDocument } from 'yaml'
import { Problem } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { doubleJson, isTyped } from '../mongo-perf/to-json.ts'

/** Maximum number of aliases that may be put in: more are an attack on memory. */
const maxAliasCount = 10_000

/**
 * Parses YAML, of which JSON is a part, as Extended JSON: numbers with a point or an exponent are doubles.
 * @throws {Problem} "spec-unreadable".
 */
export function parseYaml(text: string, file: string): Json {
  try {
    const document = parseDocument(text, { intAsBigInt: true, merge: true })
    const [error] = document.errors
    if (error) throw error
    return withTypes(document.toJS({ maxAliasCount }))
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new Problem('spec-unreadable', `${file} cannot be read: ${reason.replace(/:$/, '')}`, {
      hint: 'The file must be YAML or JSON.',
      cause: error,
    })
  }
}

function withTypes(value: unknown): Json {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : { $numberLong: String(value) }
  if (typeof value === 'number') return Number.isFinite(value) ? doubleJson(value) : { $numberDouble: String(value) }
  if (Array.isArray(value)) return value.map(withTypes)
  if (typeof value !== 'object' || value === null) return value as Json
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTypes(item)]))
}

/** A number of a file, whatever its type. Undefined: it is none. */
export function toNumber(json: Json | undefined): number | undefined {
  const number = json !== undefined && isTyped(json) ? Number(Object.values(objectIn(json))[0]) : json
  return typeof number === 'number' && !Number.isNaN(number) ? number : undefined
}

/** The object at a place where a file has one. Empty: it has none. */
export const objectIn = (json: Json | undefined): JsonObject => (json !== undefined && isObject(json) ? json : {})

/** The list at a place where a file has one, or one item. */
export const listIn = (json: Json = []): readonly Json[] => (Array.isArray(json) ? (json as readonly Json[]) : [json])
