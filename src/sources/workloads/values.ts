import { isObject, type Json, type Path } from '../../core/json.ts'
import { isTyped } from '../mongo-perf/to-json.ts'
import { type Findings } from './findings.ts'

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

/** Two bounds, or one value where they are equal, as lengths and sizes have them. */
export const lengthBetween = (min: Json, max: Json): Json => (min === max ? min : { min, max })

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
