import { type Json } from '../json.ts'
import { isUsableKey } from '../values/keys.ts'
import { fewValues, type Weighted } from './few-values.ts'
import { type Kind } from './kinds.ts'
import { withoutMixedNumbers } from './mixed-numbers.ts'
import { type Notes } from './notes.ts'
import { missingFrom } from './places.ts'
import { numberOfValues } from './repeats.ts'
import { scalarDraw } from './scalar-draws.ts'
import { type Elements, type Fields, type Scalars, type Shape } from './shape.ts'

/** What the generators of one collection depend on. */
export type DrawContext = {
  /** Number of documents of the collection, and how many of them were sampled. */
  readonly documents: number
  readonly sampled: number
  /** Name of the parameter that sets the number of documents. */
  readonly parameter: string
  /** Whether real values may be written into the spec. */
  readonly keepValues: boolean
  /** Paths that every document must have, because an index or a query uses them. */
  readonly needed: ReadonlySet<string>
  /** Paths whose values must all differ. */
  readonly unique: ReadonlySet<string>
  readonly notes: Notes
}

/** A generator of values like those of the sample at a path: types, ranges, lengths and frequencies. */
export function drawOf(shape: Shape, path: string, context: DrawContext, missing = 0): Json {
  if (context.unique.has(path)) {
    const unique = uniqueDraw(shape, path, context)
    if (unique !== undefined) return unique
  }
  const { scalars, object, array, nulls, tooDeep } = shape
  if (tooDeep > 0) context.notes.leftOut('nested too deep', path)
  const choices: Weighted[] = [
    ...[...withoutMixedNumbers(scalars)].flatMap(([kind, seen]) => choicesOf(kind, seen, path, context)),
    ...(object ? [{ value: documentDraw(object, path, context), weight: object.count }] : []),
    ...(array ? [{ value: listDraw(array, path, context), weight: array.count }] : []),
    ...(nulls + tooDeep + missing > 0 ? [{ value: null, weight: nulls + tooDeep + missing }] : []),
  ]
  const [only] = choices
  if (choices.length <= 1) return only?.value ?? null
  const weights = choices.map(({ weight }) => weight)
  return { '@choice': { values: choices.map(({ value }) => value), weights } }
}

/** A generator of documents. Rare fields, and names that a spec does not allow, are left out. */
export function documentDraw({ count, fields }: Fields, path: string, context: DrawContext): Json {
  const drawn: Record<string, Json> = {}
  for (const [name, shape] of fields) {
    const inner = path === '' ? name : `${path}.${name}`
    const isNeeded = context.needed.has(inner)
    if (!isUsableKey(name) || name.startsWith('$')) context.notes.leftOut('name reserved by the spec language', inner)
    else if (shape.count * 2 < count && !isNeeded) context.notes.leftOut('in fewer than half of the documents', inner)
    else drawn[name] = fieldDraw(shape, inner, context, missingFrom(shape, count))
  }
  return drawn
}

/** A generated document has every field, so that a missing one becomes null. */
function fieldDraw(shape: Shape, path: string, context: DrawContext, missing: number): Json {
  if (missing > 0 && !context.unique.has(path)) context.notes.leftOut('null where the original has no such field', path)
  return drawOf(shape, path, context, missing)
}

function listDraw(array: Elements, path: string, context: DrawContext): Json {
  const isCoordinates =
    array.length > 1 && array.length === array.positions.length && array.element.scalars.has('double')
  if (isCoordinates) return array.positions.map((shape) => drawOf(shape, path, context))
  if (array.totalLength === 0) return []
  return { '@array': { size: lengthOf(array, path, context), of: drawOf(array.element, path, context) } }
}

const maxListLength = 100_000

/** From the minimum up to what keeps the mean, because a few very long arrays would raise all others. */
function lengthOf({ count, totalLength, minLength, maxLength }: Elements, path: string, { needed }: DrawContext): Json {
  const isNeeded = [...needed].some((each) => each === path || each.startsWith(`${path}.`))
  const min = Math.min(maxListLength, Math.max(isNeeded ? 1 : 0, minLength))
  const max = Math.max(min, Math.min(maxListLength, maxLength, Math.round((2 * totalLength) / count) - min))
  return min === max ? min : { min, max }
}

function choicesOf(kind: Kind, scalars: Scalars, path: string, context: DrawContext): readonly Weighted[] {
  const { count, seen } = scalars
  if (kind === 'boolean')
    return [...seen.values()].map(({ value, count: weight }) => ({ value: value === true, weight }))
  const few = fewValues(kind, scalars, path, context)
  if (few.length > 0) return few
  const draw = scalarDraw(kind, scalars, path, context.notes)
  // Repeated values matter to queries only; elsewhere they would make the spec longer.
  const distinct = context.needed.has(path) ? numberOfValues(kind, scalars, context) : undefined
  return [{ value: distinct === undefined ? draw : { '@pickValue': { count: distinct, of: draw } }, weight: count }]
}

/** Digits of the document number at the end of a unique string. */
const rowDigits = 6

/** A generator that never repeats a value, because it includes the document's number. Undefined if the type cannot hold one. */
export function uniqueDraw(shape: Shape, path: string, context: DrawContext): Json | undefined {
  const kinds = [...shape.scalars].toSorted(([, a], [, b]) => b.count - a.count)
  for (const [kind, scalars] of kinds) {
    if (kind === 'int') return { '@row': {} }
    if (kind === 'long') return { '@toLong': { '@row': {} } }
    if (kind === 'double') return { '@toDouble': { '@row': {} } }
    if (kind === 'objectId') return { '@objectId': {} }
    if (kind === 'uuid') return { '@uuid': {} }
    if (kind === 'string') return uniqueText(Math.max(0, Math.round(scalars.totalBytes / scalars.count) - rowDigits))
  }
  return shape.object && uniqueDocument(shape.object, path, context)
}

/** The prefix has a fixed length, so that no two values are equal. */
const uniqueText = (length: number): Json =>
  length === 0 ? { '@toString': { '@row': {} } } : { '@concat': [{ '@string': { length } }, { '@row': {} }] }

function uniqueDocument(object: Fields, path: string, context: DrawContext): Json | undefined {
  for (const [name, shape] of object.fields) {
    const inner = `${path}.${name}`
    if (uniqueDraw(shape, inner, context) === undefined) continue
    const unique = new Set([...context.unique, inner])
    return documentDraw(object, path, { ...context, unique, needed: new Set([...context.needed, inner]) })
  }
  return undefined
}
