import { types } from 'node:util'
import { type Json } from '../../core/json.ts'
import { isWrapper } from '../../language/values/extended-json.ts'
import { Unsupported } from './recorded.ts'

/** A value of a BSON type that JavaScript does not have, as constructors of the shell make it. */
export class ShellValue {
  readonly json: Json
  readonly #plain: number | string

  /** @param plain What it is in arithmetic, comparisons and texts. */
  constructor(json: Json, plain: number | string) {
    this.json = json
    this.#plain = plain
  }

  valueOf(): number | string {
    return this.#plain
  }

  toString(): string {
    return String(this.#plain)
  }

  toNumber(): number {
    return Number(this.#plain)
  }
}

/** Functions that stand for a database or a collection, and are no code to send. */
export const standIns = new WeakSet<object>()

/** Maximum nesting depth of BSON. */
const deepest = 180

/**
 * Extended JSON of a value of the shell, in which a JSON number is a double.
 * @throws {Unsupported} for what has no BSON type.
 */
export function toJson(value: unknown, depth = 0): Json {
  if (depth > deepest) throw new Unsupported(`a value that is nested deeper than ${deepest} levels`)
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return numberJson(value)
  if (typeof value === 'bigint') return { $numberLong: value.toString() }
  if (typeof value === 'function' && !standIns.has(value)) return { $code: Function.prototype.toString.call(value) }
  if (typeof value !== 'object') throw new Unsupported(`a value of the type ${nameOfType(value)}`)
  if (value instanceof ShellValue) return value.json
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1))
  return objectJson(value, depth)
}

const nameOfType = (value: unknown): string => (typeof value === 'function' ? 'collection' : typeof value)

const numberJson = (value: number): Json =>
  Number.isFinite(value) && !Object.is(value, -0)
    ? value
    : { $numberDouble: Object.is(value, -0) ? '-0.0' : String(value) }

// Values come from the realm of the file, whose built-ins are others than those of this one.
function objectJson(value: object, depth: number): Json {
  if (types.isDate(value)) return dateJson(Date.prototype.getTime.call(value))
  if (types.isRegExp(value))
    return { $regularExpression: { pattern: value.source, options: toServerRegexFlags(value.flags) } }
  const json = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item, depth + 1)]))
  if (isWrapper(json)) throw new Unsupported(`a document whose only field is ${Object.keys(json)[0]}`)
  return json
}

function dateJson(ms: number): Json {
  if (Number.isNaN(ms)) throw new Unsupported('a date that is none')
  return { $date: { $numberLong: String(ms) } }
}

/** Flags of a regular expression that the server knows. */
const toServerRegexFlags = (flags: string): string => flags.replaceAll(/[^ims]/g, '')

/** A tree in which numbers are doubles, as a value of a spec or of a file of data: whole ones are written out. */
export function withDoubles(json: Json): Json {
  if (typeof json === 'number') return doubleJson(json)
  if (Array.isArray(json)) return (json as readonly Json[]).map(withDoubles)
  if (typeof json !== 'object' || json === null || isTyped(json)) return json
  return Object.fromEntries(Object.entries(json).map(([key, item]) => [key, withDoubles(item)]))
}

/** Whether an object is a value of Extended JSON, and no document. */
export const isTyped = (json: Json): boolean =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && isWrapper(json as { [key: string]: Json })

/** A double of a value: a whole number would be read as an integer. */
export function doubleJson(value: number): Json {
  if (!Number.isInteger(value)) return value
  const digits = String(value)
  return { $numberDouble: digits.includes('e') ? digits : `${digits}.0` }
}
