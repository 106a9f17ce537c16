import { type Json } from '../../../core/json.ts'
import { isUsableKey } from '../../../language/values/keys.ts'
import { type CollectionProfile } from '../collection/collection-profile.ts'
import { missingFrom, withoutMixedNumbers } from '../collection/field-path.ts'
import { type Kind, determineScalarKind } from '../collection/kinds.ts'
import { type Elements, type Fields, Shape, observe, type Scalars } from '../collection/shape.ts'
import { collectionNameFor } from '../names.ts'
import { type Notes } from '../notes.ts'
import { fewValues, type Weighted } from './few-values.ts'
import { choiceByRow, valueByRow, type Segment, splitIntoSegments, detectTrend, wholes } from './order.ts'
import { scalarDraw } from './scalar-draws.ts'

/** Context on which the generators of one collection depend. */
export type DrawContext = Pick<
  CollectionProfile,
  // Columns: none where values are drawn for calls, which have no row.
  'documents' | 'sampled' | 'columns' | 'references'
> & {
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

/** The same context for values of calls. */
export const inCall = (context: DrawContext): DrawContext => ({ ...context, columns: new Map() })

/** Whether a generator needs a row, which calls do not have. */
export const usesRow = (value: Json): boolean => JSON.stringify(value).includes('{"@row":')

/** A generator of values like those of the sample at a path: types, ranges, lengths and frequencies. */
export function createValueGenerator(shape: Shape, path: string, context: DrawContext, missing = 0): Json {
  const { columns, notes, parameter } = context
  const column = columns.get(path) ?? []
  const unique = context.unique.has(path) ? uniqueDraw(shape, path, context) : undefined
  if (unique !== undefined) {
    if (rises(unique) && column.length > 0 && !detectTrend(column))
      notes.leftOut('at random there, in order of insertion here, because it is unique', path)
    return unique
  }
  if (shape.tooDeep > 0) notes.leftOut('nested too deep', path)
  const choices = listChoices(shape, path, context, missing)
  return choiceByRow(findSegments(column, choices), (counts) => createWeightedChoice(choices, counts), parameter)
}

/** Whether a unique generator grows with the row; one of texts begins at random. */
const rises = (unique: Json): boolean => /^(?!.*"@string").*"@(row|objectId)"/.test(JSON.stringify(unique))

function listChoices(shape: Shape, path: string, context: DrawContext, missing: number): readonly Weighted[] {
  const { scalars, object, array } = shape
  const nulls = shape.nulls + shape.tooDeep + missing
  return [
    ...[...withoutMixedNumbers(scalars)].flatMap(([kind, seen]) => listScalarChoices(kind, seen, path, context)),
    ...(object ? [{ value: documentDraw(object, path, context), weight: object.count }] : []),
    ...(array ? [{ value: listDraw(array, path, context), weight: array.count }] : []),
    ...(nulls > 0 ? [{ value: null, weight: nulls, of: 'null' }] : []),
  ]
}

function createWeightedChoice(choices: readonly Weighted[], weights: readonly number[]): Json {
  const possible = choices
    .map(({ value }, i) => ({ value, weight: weights[i] ?? 0 }))
    .filter(({ weight }) => weight > 0)
  if (possible.length <= 1) return possible[0]?.value ?? null
  return { '@choice': { values: possible.map(({ value }) => value), weights: possible.map(({ weight }) => weight) } }
}

/** Segments of rows in which the shares of the choices differ; one if they do not, or if that is not known. */
function findSegments(column: readonly unknown[], choices: readonly Weighted[]): readonly Segment[] {
  const names = choices.map(({ of }) => of)
  const classes = column.map((value) => {
    const exact = names.indexOf(String(value ?? null))
    return exact === -1 ? names.indexOf(determineScalarKind(value)) : exact
  })
  const areKnown = choices.length > 1 && !names.includes(undefined) && !classes.includes(-1)
  const segments = areKnown ? splitIntoSegments(classes, choices.length) : []
  return segments.length > 1 ? segments : [{ until: 1, counts: choices.map(({ weight }) => weight) }]
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
  const { needed, notes } = context
  const inside = (name: string): string => (path === '' ? name : `${path}.${name}`)
  const rare = new Map([...fields].filter(([name, { count: n }]) => n * 2 < count && !needed.has(inside(name))))
  const perDocument = ([...rare.values()].reduce((sum, shape) => sum + shape.count, 0) + others) / count
  const areData = rare.size >= minKeys && perDocument >= 1
  if (areData) notes.leftOut('keys are data: as many of the same form here', inside('*'))
  if (areData && rare.size === fields.size && path !== '') return mapDraw(rare, perDocument, inside('*'), context)
  const keys = areData ? chooseEvenly([...rare], Math.round(perDocument)) : []
  const data = keys.map(([name, shape], i): readonly [string, Json] => [
    String(i).padStart(name.length, 'k'),
    createValueGenerator(shape, inside('*'), context),
  ])
  const named = [...fields].flatMap(([name, shape]): (readonly [string, Json])[] => {
    if (areData && rare.has(name)) return []
    const reason = reasonAgainstField(name, rare)
    if (reason === undefined) return [[name, fieldDraw(shape, inside(name), context, missingFrom(shape, count))]]
    notes.leftOut(reason, inside(name))
    return []
  })
  return Object.fromEntries([...data, ...named])
}

function reasonAgainstField(name: string, rare: ReadonlyMap<string, Shape>): string | undefined {
  if (!isUsableKey(name) || name.startsWith('$')) return 'name reserved by the spec language'
  return rare.has(name) ? 'in fewer than half of the documents' : undefined
}

/** A number of items from all over a list; all where it has fewer. */
const chooseEvenly = <Item>(items: readonly Item[], count: number): readonly Item[] =>
  items.filter((_, i) => Math.floor(((i + 1) * count) / items.length) > Math.floor((i * count) / items.length))

/** A generator of documents of nothing but keys that are data. */
function mapDraw(fields: ReadonlyMap<string, Shape>, perDocument: number, path: string, context: DrawContext): Json {
  const names = new Shape()
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

function listScalarChoices(kind: Kind, scalars: Scalars, path: string, context: DrawContext): readonly Weighted[] {
  const { count, seen } = scalars
  if (kind === 'boolean')
    return [...seen.values()].map(({ value, count: weight }) => ({ value: value === true, weight, of: String(value) }))
  const target = context.references?.get(path)
  if (target !== undefined)
    return [{ value: { '@ref': { collection: collectionNameFor(target.collection) } }, weight: count, of: kind }]
  const few = fewValues(kind, scalars, path, context)
  if (few.length > 0) return few
  if (kind === 'binary') context.notes.leftOut('binary data, here as text of the same length', path)
  return [{ value: createScalarGenerator(kind, scalars, path, context), weight: count, of: kind }]
}

function createScalarGenerator(kind: Kind, scalars: Scalars, path: string, context: DrawContext): Json {
  const draw = scalarDraw(kind, scalars)
  const trend = detectTrend(context.columns.get(path) ?? [])
  const count = countDrawn(kind, scalars, path, context)
  const drawn = count === undefined ? draw : { '@pickValue': { count, of: draw } }
  if (!trend || (kind === 'objectId' && !trend.falls)) return drawn
  const byRow = valueByRow(kind, scalars, trend, count, context)
  if (byRow === undefined) context.notes.leftOut('in order of insertion there, at random here', path)
  return byRow ?? drawn
}

/** Digits of the document number at the end of a unique string. */
const rowDigits = 6

const uniqueKinds: typeof wholes = { ...wholes, objectId: () => ({ '@objectId': {} }), uuid: () => ({ '@uuid': {} }) }

/** A generator that never repeats a value, because it includes the document's number. Undefined if the type cannot hold one. */
export function uniqueDraw(shape: Shape, path: string, context: DrawContext): Json | undefined {
  const frequent = [...shape.scalars].toSorted(([, a], [, b]) => b.count - a.count)
  const unique = frequent.map(([kind, scalars]) => uniqueScalar(kind, scalars, path, context))
  return unique.find((draw) => draw !== undefined) ?? (shape.object && uniqueDocument(shape.object, path, context))
}

function uniqueScalar(kind: Kind, scalars: Scalars, path: string, context: DrawContext): Json | undefined {
  const trend = detectTrend(context.columns.get(path) ?? [])
  if (kind === 'string') return (trend && valueByRow(kind, scalars, trend, undefined, context)) ?? uniqueText(scalars)
  const first = trend?.falls === false ? Number(scalars.min) : 0
  return uniqueKinds[kind]?.(first === 0 ? { '@row': {} } : { '@add': [first, { '@row': {} }] })
}

/** The prefix has a fixed length, so that no two values are equal. */
function uniqueText({ totalBytes, count }: Scalars): Json {
  const length = Math.max(0, Math.round(totalBytes / count) - rowDigits)
  return length === 0 ? { '@toString': { '@row': {} } } : { '@concat': [{ '@string': { length } }, { '@row': {} }] }
}

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

/** How many values to draw from. Undefined: any. Repeated values matter to queries only; elsewhere they would make the spec longer. */
function countDrawn(kind: Kind, scalars: Scalars, path: string, context: DrawContext): Json | undefined {
  if (!context.needed.has(path)) return undefined
  const column = context.columns.get(path) ?? []
  // ObjectIds of a generator rise with the row; others, such as those of customers, do not.
  const isShuffled = kind === 'objectId' && column.length > 0 && !detectTrend(column)
  return numberOfValues(kind, scalars, context) ?? (isShuffled ? { '@param': context.parameter } : undefined)
}

/**
 * The number of distinct values at a place, as a number or as a share of the documents. Undefined if (nearly) all
 * differ, or if values drawn from the range repeat often enough anyway.
 */
function numberOfValues(kind: Kind, scalars: Scalars, context: DrawContext): Json | undefined {
  const { count, seen, min, max } = scalars
  if (count < minSampled || seen.size >= 0.9 * count || kind === 'other') return undefined
  const isNarrow = (kind === 'int' || kind === 'long') && Number(max) - Number(min) < 2 * seen.size
  return isNarrow ? undefined : estimateValues(seen, context)
}

/**
 * The number of distinct values by the estimator GEE of Charikar, Chaudhuri, Motwani and Narasayya, "Towards estimation error guarantees for
 * distinct values", PODS 2000: a value seen once counts as many times as the square root of the sampling ratio, any other value once.
 */
function estimateValues(seen: Scalars['seen'], { documents, sampled, parameter }: DrawContext): Json | undefined {
  const once = [...seen.values()].filter((value) => value.count === 1).length
  if (once <= saturated * seen.size) return seen.size
  const ratio = Math.max(1, documents / Math.max(1, sampled))
  const documentsEach = Math.round(documents / (Math.sqrt(ratio) * once + seen.size - once))
  return documentsEach < 2 ? undefined : { '@ceil': { '@divide': [{ '@param': parameter }, documentsEach] } }
}
