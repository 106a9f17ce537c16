import { type Json } from '../../../core/json.ts'
import { isUsableKey } from '../../../language/values/keys.ts'
import { type Columns, type Reference } from '../collection/collection-profile.ts'
import { missingFrom, withoutMixedNumbers } from '../collection/field-path.ts'
import { type Kind, determineScalarKind } from '../collection/kinds.ts'
import { type Elements, type Fields, newShape, observe, type Scalars, type Shape } from '../collection/shape.ts'
import { collectionNameFor } from '../names.ts'
import { type Notes } from '../notes.ts'
import { fewValues, type Weighted } from './few-values.ts'
import { choiceByRow, valueByRow, type Stretch, splitIntoStretches, detectTrend } from './order.ts'
import { scalarDraw } from './scalar-draws.ts'

/** Context on which the generators of one collection depend. */
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
  /** Numbers of distinct values in all documents, by path. Default: estimated. */
  readonly distinct?: ReadonlyMap<string, number> | undefined
  /** Values in order of insertion. None where values are drawn for calls, which have no row. */
  readonly columns: Columns
  /** The data sets whose keys fields hold, by path. Default: none. */
  readonly references?: ReadonlyMap<string, Reference> | undefined
  readonly notes: Notes
}

/** The same context for values of calls. */
export const inCall = (context: DrawContext): DrawContext => ({ ...context, columns: new Map() })

/** Whether a generator needs a row, which calls do not have. */
export const usesRow = (value: Json): boolean => JSON.stringify(value).includes('{"@row":')

/** A generator of values like those of the sample at a path: types, ranges, lengths and frequencies. */
export function createValueGenerator(shape: Shape, path: string, context: DrawContext, missing = 0): Json {
  if (context.unique.has(path)) {
    const unique = uniqueDraw(shape, path, context)
    const column = context.columns.get(path) ?? []
    if (unique !== undefined && rises(unique) && column.length > 0 && !detectTrend(column))
      context.notes.leftOut('at random there, in order of insertion here, because it is unique', path)
    if (unique !== undefined) return unique
  }
  const { scalars, object, array, nulls, tooDeep } = shape
  if (tooDeep > 0) context.notes.leftOut('nested too deep', path)
  const choices: Weighted[] = [
    ...[...withoutMixedNumbers(scalars)].flatMap(([kind, seen]) => listWeightedChoices(kind, seen, path, context)),
    ...(object ? [{ value: documentDraw(object, path, context), weight: object.count }] : []),
    ...(array ? [{ value: listDraw(array, path, context), weight: array.count }] : []),
    ...(nulls + tooDeep + missing > 0 ? [{ value: null, weight: nulls + tooDeep + missing, of: 'null' }] : []),
  ]
  const stretches = stretchesIn(context.columns.get(path) ?? [], choices)
  if (stretches.length <= 1)
    return createWeightedChoice(
      choices,
      choices.map(({ weight }) => weight),
    )
  return choiceByRow(stretches, (counts) => createWeightedChoice(choices, counts), context.parameter)
}

/** Whether a unique generator grows with the row; one of texts begins at random. */
const rises = (unique: Json): boolean => /^(?!.*"@string").*"@(row|objectId)"/.test(JSON.stringify(unique))

function createWeightedChoice(choices: readonly Weighted[], weights: readonly number[]): Json {
  const possible = choices
    .map(({ value }, i) => ({ value, weight: weights[i] ?? 0 }))
    .filter(({ weight }) => weight > 0)
  if (possible.length <= 1) return possible[0]?.value ?? null
  return { '@choice': { values: possible.map(({ value }) => value), weights: possible.map(({ weight }) => weight) } }
}

/** Stretches of rows in which the shares of the choices differ. */
function stretchesIn(column: readonly unknown[], choices: readonly Weighted[]): readonly Stretch[] {
  const names = choices.map(({ of }) => of)
  if (choices.length < 2 || names.includes(undefined)) return []
  const indexOf = (value: unknown): number => {
    const exact = names.indexOf(String(value ?? null))
    return exact === -1 ? names.findIndex((name) => name === determineScalarKind(value)) : exact
  }
  const classes = column.map(indexOf)
  return classes.includes(-1) ? [] : splitIntoStretches(classes, choices.length)
}

/** Fewer keys are optional fields, and not data. */
const minKeys = 20
/** Values of a map are drawn like those of so many keys. */
const maxValuesOfMap = 5

/**
 * A generator of documents. Names that a spec does not allow are left out, and so are rare fields, unless there are so many that they may be data, such as
 * the keys of a map by id: there are as many of the same form then.
 */
export function documentDraw({ count, fields, others }: Fields, path: string, context: DrawContext): Json {
  const inside = (name: string): string => (path === '' ? name : `${path}.${name}`)
  const isRare = ([name, shape]: [string, Shape]): boolean =>
    shape.count * 2 < count && !context.needed.has(inside(name))
  const rare = new Map([...fields].filter(isRare))
  const perDocument = ([...rare.values()].reduce((sum, shape) => sum + shape.count, 0) + others) / count
  const areData = rare.size >= minKeys && perDocument >= 1
  if (areData) context.notes.leftOut('keys are data: as many of the same form here', inside('*'))
  if (areData && rare.size === fields.size && path !== '') return mapDraw(rare, perDocument, inside('*'), context)
  const drawn: Record<string, Json> = {}
  for (const [i, [name, shape]] of areData ? chooseEvenly([...rare], Math.round(perDocument)).entries() : [])
    drawn[String(i).padStart(name.length, 'k')] = createValueGenerator(shape, inside('*'), context)
  for (const [name, shape] of fields)
    if (areData && rare.has(name)) continue
    else if (!isUsableKey(name) || name.startsWith('$'))
      context.notes.leftOut('name reserved by the spec language', inside(name))
    else if (rare.has(name)) context.notes.leftOut('in fewer than half of the documents', inside(name))
    else drawn[name] = fieldDraw(shape, inside(name), context, missingFrom(shape, count))
  return drawn
}

/** A number of items from all over a list; all where it has fewer. */
const chooseEvenly = <Item>(items: readonly Item[], count: number): readonly Item[] =>
  items.filter((_, i) => Math.floor(((i + 1) * count) / items.length) > Math.floor((i * count) / items.length))

/** A generator of documents of nothing but keys that are data. */
function mapDraw(fields: ReadonlyMap<string, Shape>, perDocument: number, path: string, context: DrawContext): Json {
  const names = newShape()
  for (const name of fields.keys()) observe(names, name)
  const values = chooseEvenly([...fields.values()], maxValuesOfMap)
  const value = createWeightedChoice(
    values.map((shape) => ({ value: createValueGenerator(shape, path, context), weight: 1 })),
    values.map(() => 1),
  )
  const size = { min: Math.floor(perDocument / 2), max: Math.ceil(perDocument * 1.5) }
  const key = createValueGenerator(names, path, { ...context, keepValues: false, columns: new Map() })
  return { '@arrayToObject': { '@array': { size, of: [key, value] } } }
}

/** A generated document has every field, so that a missing one becomes null. */
function fieldDraw(shape: Shape, path: string, context: DrawContext, missing: number): Json {
  if (missing > 0 && !context.unique.has(path)) context.notes.leftOut('null where the original has no such field', path)
  return createValueGenerator(shape, path, context, missing)
}

function listDraw(array: Elements, path: string, context: DrawContext): Json {
  const isCoordinates =
    array.length > 1 && array.length === array.positions.length && array.element.scalars.has('double')
  if (isCoordinates) return array.positions.map((shape) => createValueGenerator(shape, path, context))
  if (array.totalLength === 0) return []
  return {
    '@array': { size: createArrayLength(array, path, context), of: createValueGenerator(array.element, path, context) },
  }
}

const maxListLength = 100_000

/** From the minimum up to what keeps the mean, because a few very long arrays would raise all others. */
function createArrayLength(
  { count, totalLength, minLength, maxLength }: Elements,
  path: string,
  { needed }: DrawContext,
): Json {
  const isNeeded = [...needed].some((each) => each === path || each.startsWith(`${path}.`))
  const min = Math.min(maxListLength, Math.max(isNeeded ? 1 : 0, minLength))
  const max = Math.max(min, Math.min(maxListLength, maxLength, Math.round((2 * totalLength) / count) - min))
  return min === max ? min : { min, max }
}

function listWeightedChoices(kind: Kind, scalars: Scalars, path: string, context: DrawContext): readonly Weighted[] {
  const { count, seen } = scalars
  if (kind === 'boolean')
    return [...seen.values()].map(({ value, count: weight }) => ({ value: value === true, weight, of: String(value) }))
  const target = context.references?.get(path)
  if (target !== undefined)
    return [{ value: { '@ref': { collection: collectionNameFor(target.collection) } }, weight: count, of: kind }]
  const few = fewValues(kind, scalars, path, context)
  if (few.length > 0) return few
  return [{ value: createScalarGenerator(kind, scalars, path, context), weight: count, of: kind }]
}

function createScalarGenerator(kind: Kind, scalars: Scalars, path: string, context: DrawContext): Json {
  const { needed, columns, parameter, notes } = context
  const draw = scalarDraw(kind, scalars, path, notes)
  // Repeated values matter to queries only; elsewhere they would make the spec longer.
  const repeated = needed.has(path) ? numberOfValues(kind, scalars, path, context) : undefined
  const column = columns.get(path) ?? []
  const trend = detectTrend(column)
  // ObjectIds of a generator rise with the row; others, such as those of customers, do not.
  const isShuffled = kind === 'objectId' && !trend && column.length > 0 && needed.has(path)
  const distinct = repeated ?? (isShuffled ? { '@param': parameter } : undefined)
  const drawn = distinct === undefined ? draw : { '@pickValue': { count: distinct, of: draw } }
  if (!trend || (kind === 'objectId' && !trend.falls)) return drawn
  const byRow = valueByRow(kind, scalars, trend, repeated, context)
  if (byRow === undefined) notes.leftOut('in order of insertion there, at random here', path)
  return byRow ?? drawn
}

/** Digits of the document number at the end of a unique string. */
const rowDigits = 6

/** A generator that never repeats a value, because it includes the document's number. Undefined if the type cannot hold one. */
export function uniqueDraw(shape: Shape, path: string, context: DrawContext): Json | undefined {
  const kinds = [...shape.scalars].toSorted(([, a], [, b]) => b.count - a.count)
  for (const [kind, scalars] of kinds) {
    const trend = detectTrend(context.columns.get(path) ?? [])
    const first = Number(scalars.min)
    const number: Json = trend && !trend.falls && first !== 0 ? { '@add': [first, { '@row': {} }] } : { '@row': {} }
    if (kind === 'int') return number
    if (kind === 'long') return { '@toLong': number }
    if (kind === 'double') return { '@toDouble': number }
    if (kind === 'objectId') return { '@objectId': {} }
    if (kind === 'uuid') return { '@uuid': {} }
    const byRow = kind === 'string' && trend ? valueByRow(kind, scalars, trend, undefined, context) : undefined
    if (byRow !== undefined) return byRow
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

/** A smaller sample shows nothing about repeated values. */
const minSampled = 20
/** The sample holds all distinct values of the collection when at most this share of them occurred only once. */
const saturated = 0.1

/**
 * The number of distinct values at a place, as a number or as a share of the documents. Undefined if (nearly) all
 * differ, or if values drawn from the range repeat often enough anyway.
 */
function numberOfValues(
  kind: Kind,
  scalars: Scalars,
  path: string,
  { documents, sampled, parameter, distinct: counted }: DrawContext,
): Json | undefined {
  const { count, seen, min, max } = scalars
  const known = counted?.get(path)
  const [distinct, of] = known === undefined ? [seen.size, count] : [known, documents]
  if (count < minSampled || distinct >= 0.9 * of || kind === 'other') return undefined
  const isNarrow = (kind === 'int' || kind === 'long') && Number(max) - Number(min) < 2 * distinct
  if (isNarrow) return undefined
  if (known !== undefined) return known
  const once = [...seen.values()].filter((value) => value.count === 1).length
  if (once <= saturated * distinct) return distinct
  const all = estimate(distinct, once, Math.max(1, documents / Math.max(1, sampled)))
  const documentsEach = Math.round(documents / all)
  if (documentsEach < 2) return undefined
  return { '@ceil': { '@divide': [{ '@param': parameter }, documentsEach] } }
}

/**
 * The estimator GEE of Charikar, Chaudhuri, Motwani and Narasayya, "Towards estimation error guarantees for distinct
 * values", PODS 2000: a value seen once counts as many times as the square root of the sampling ratio, any other value once.
 */
const estimate = (distinct: number, once: number, ratio: number): number => Math.sqrt(ratio) * once + distinct - once
