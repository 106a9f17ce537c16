import { isObject, type Json, type Path } from '../../core/json.ts'
import { isTyped } from '../mongo-perf/to-json.ts'
import { type Findings } from './findings.ts'
import { objectIn, toNumber } from './parse-yaml.ts'

/** Reads the values of a tool. */
export type ValueReader = {
  readonly findings: Findings
  /** Reads an object with one field, which may be a generator. Undefined: it is a document. */
  readonly generator: (name: string, argument: Json, path: Path) => Json | undefined
  readonly text: (text: string, path: Path) => Json
}

/** A value as a spec has it: with expressions in place of the generators of a tool. */
export function readValue(json: Json, path: Path, reader: ValueReader): Json {
  if (typeof json === 'string') return reader.text(json, path)
  if (Array.isArray(json)) return (json as readonly Json[]).map((item, i) => readValue(item, [...path, i], reader))
  if (!isObject(json)) return json
  const [[name = '', argument = null] = [], ...others] = Object.entries(json)
  const generated = others.length === 0 ? reader.generator(name, argument, [...path, name]) : undefined
  if (generated !== undefined) return generated
  if (isTyped(json)) return json
  for (const key of Object.keys(json))
    if (key.startsWith('@')) reader.findings.refuse([...path, key], 'a field whose name begins with "@"')
  return Object.fromEntries(Object.entries(json).map(([key, item]) => [key, readValue(item, [...path, key], reader)]))
}

/** A generator of a tool as it is written. Fields that are not asked for are refused. */
export type Generated = {
  /** A field, by default null; a number is plain. */
  readonly get: (field: string, otherwise?: Json) => Json
  /** A field whose numbers keep their types. */
  readonly value: (field: string) => Json
  /** A field that is drawn more or less than once for each value. */
  readonly inner: (field: string) => Json
  /** All that is given, as it is written. */
  readonly whole: () => Json
  readonly path: Path
}

/** Generators by their names: what they are in a spec. Undefined: nothing, in this form. */
export type Generators<Context> = Readonly<Record<string, (given: Generated, context: Context) => Json | undefined>>

/** The value of a generator of a table. @param read Reads the values of its fields. */
export function generate<Context extends { readonly findings: Findings }>(
  table: Generators<Context>,
  [name, argument, path]: readonly [string, Json, Path],
  context: Context,
  read: (json: Json, path: Path, isInner?: boolean) => Json,
): Json {
  const { findings } = context
  const make = Object.hasOwn(table, name) ? table[name] : undefined
  if (!make) return findings.refuse(path, `the generator ${name}`)
  const given = objectIn(argument)
  const asked: string[] = []
  const valueOf = (field: string, otherwise: Json, isInner?: boolean): Json => {
    asked.push(field)
    const written = given[field]
    return written === undefined ? otherwise : read(written, [...path, field], isInner)
  }
  const get = (field: string, otherwise: Json = null): Json => {
    const value = valueOf(field, otherwise)
    const number = toNumber(value) ?? Number.NaN
    return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : value
  }
  const whole = (): Json => {
    asked.push(...Object.keys(given))
    return argument
  }
  const value = (field: string): Json => valueOf(field, null)
  const made = make({ get, value, inner: (field) => valueOf(field, null, true), whole, path }, context)
  if (made === undefined) return findings.refuse(path, `${name} in this form (${JSON.stringify(argument)})`)
  findings.requireFields(given, asked, path)
  return made
}

/** A length or size with two bounds, or one value where they are equal. */
export function lengthBetween(min: Json, max: Json): Json {
  if (JSON.stringify(min) === JSON.stringify(max)) return min
  return typeof min === 'number' && typeof max === 'number' ? { min, max } : { '@int': { min, max } }
}

/** A text of several parts. */
export const joined = (parts: readonly Json[], separator: Json): Json => ({
  '@concat': parts.flatMap((part, i) => (i > 0 && separator !== '' ? [separator, part] : [part])),
})

/** Sums, products and quotients leave out what changes nothing, so that a spec reads as its author would write it. */
export const sum = (one: Json, other: Json): Json => (other === 0 ? one : one === 0 ? other : { '@add': [one, other] })
export const product = (one: Json, factor: Json): Json =>
  factor === 1 ? one : factor === 0 ? 0 : { '@multiply': [one, factor] }
export const wholeQuotient = (one: Json, divisor: Json): Json =>
  divisor === 1 ? one : { '@floor': { '@divide': [one, divisor] } }

/** Numbers from 0 on, one for each call of the place that it stands in, over all workers. */
export const callNumber: Json = { '@int': { distribution: 'sequential' } }

/** A growing date for documents that are loaded, where a tool takes the time of the load. */
export const dateOfRow: Json = { '@add': [{ $date: '2026-01-01T00:00:00Z' }, { '@row': {} }] }

/** First and last name of a person. */
export const fullName: Json = joined([{ '@oneOf': { words: 'names.en' } }, { '@oneOf': { words: 'surnames.en' } }], ' ')
