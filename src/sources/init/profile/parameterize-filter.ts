import { BSONRegExp } from 'bson'
import { type Json, type JsonObject, distinct } from '../../../core/json.ts'
import { type BsonDocument, isDocument, isOperators, getMember } from '../../../language/values/bson-types.ts'
import { isUsableKey } from '../../../language/values/keys.ts'
import { findFieldPath, type FieldPath } from '../collection/field-path.ts'
import {
  determineScalarKind,
  fromComparableNumber,
  literal,
  literalFields,
  toComparableNumber,
} from '../collection/kinds.ts'
import { type Shape } from '../collection/shape.ts'
import { fewValues } from '../data/few-values.ts'
import { createNotes } from '../notes.ts'

/** Thrown if the values of a query cannot be parameterized. The message completes the note "Operations left out because …". */
export class CannotParameterize extends Error {}

/** A place in the queries on one collection, and how values there are replaced by generators. */
export type Place = {
  /** Path of a condition; or of the documents that a filter is about, with a point behind it. */
  readonly path: string
  readonly root: Shape
  /** How documents are picked: of which data set, where there are several, and by which distribution, where it is not even. */
  readonly picked: JsonObject
  /** The first field of the text index, if there is one. */
  readonly textField: string | undefined
  readonly keepValues: boolean
  /** Paths and operators whose values stay as they are written. */
  readonly keep: ReadonlySet<string>
  /** Called with every path that a query uses. */
  readonly ask: (path: string) => void
  /** Called with constants that are copied. */
  readonly copied: (path: string, values: readonly Json[]) => void
  /** A value of a picked document, replaced by a drawn one where it is null. */
  readonly orDrawn: (value: Json, fieldPath: FieldPath, path: string) => Json
  /** A generated value like an example at a path that does not occur in the sample. */
  readonly like: (value: unknown, path: string) => Json
}

/** A filter whose values are replaced by values of generated documents. All filters have the same shape. */
export function parameterizeFilter(filters: readonly BsonDocument[], place: Place): JsonObject {
  const keys = Object.keys(filters[0] ?? {})
  return Object.fromEntries(keys.map((key) => [key, parameterizeEntry(key, filters, place)]))
}

function parameterizeEntry(key: string, filters: readonly BsonDocument[], place: Place): Json {
  const conditions = filters.map((filter) => filter[key])
  if (!isUsableKey(key)) throw new CannotParameterize(`they use the key "${key}"`)
  if (!key.startsWith('$')) return parameterizeCondition(conditions, { ...place, path: place.path + key })
  if (logical.has(key)) {
    const [first = [], ...others] = conditions as BsonDocument[][]
    return first.map((part, i) => parameterizeFilter([part, ...others.map((list) => list[i] ?? {})], place))
  }
  if (key === '$text' && place.textField !== undefined)
    return {
      ...literalFields(conditions[0] as BsonDocument),
      $search: drawAt('a', { ...place, path: place.textField }),
    }
  if (place.keep.has(key)) return literal(conditions[0])
  throw new CannotParameterize(`they use "${key}"`)
}

const logical: ReadonlySet<string> = new Set(['$and', '$or', '$nor'])

/** Conditions of the same shape on one path, as one. */
export function parameterizeCondition(conditions: readonly unknown[], place: Place): Json {
  const [condition] = conditions
  if (place.keep.has(place.path)) return asWritten(condition, place)
  if (condition instanceof BSONRegExp) return parameterizeRegex(condition, place)
  if (!isOperators(condition)) return equalTo(conditions, place)
  if ('$regex' in condition) return parameterizeRegex(readRegex(condition), place)
  const range = parameterizeRange(conditions as BsonDocument[], place) ?? parameterizeGeo(condition, place)
  if (range !== undefined) return range
  const operators = Object.keys(condition)
  return Object.fromEntries(operators.map((operator) => [operator, parameterizeOperand(operator, conditions, place)]))
}

type Draw = (operands: readonly unknown[], place: Place) => Json | undefined

/** Operators by how their operands are drawn. Undefined: such operands cannot be. */
const draws: ReadonlyMap<string, Draw> = new Map(
  Object.entries<Draw>({
    '$eq $ne': equalTo,
    '$gt $gte $lt $lte': parameterizeBound,
    '$in $nin $all': parameterizeList,
    // Their operands are not values of a document.
    '$exists $type $size $mod': ([operand]) => literal(operand),
    $not: parameterizeCondition,
    $elemMatch: parameterizeElement,
  }).flatMap(([names, draw]) => names.split(' ').map((name) => [name, draw] as const)),
)

function parameterizeOperand(operator: string, conditions: readonly unknown[], place: Place): Json {
  const operands = conditions.map((condition) => getMember(condition, operator))
  if (place.keep.has(operator)) return asWritten(operands[0], place)
  const drawn = draws.get(operator)?.(operands, place)
  if (drawn === undefined) throw new CannotParameterize(`they use "${operator}"`)
  return drawn
}

/** Numbers and dates of the profile itself: where a range begins decides how many documents it has. */
function parameterizeBound(operands: readonly unknown[], place: Place): Json {
  const areKnown = operands.every((value) => toComparableNumber(value) !== undefined)
  return place.keepValues && place.path !== '_id' && areKnown
    ? chooseCopied(operands.map(literal), place)
    : drawAt(operands[0], place)
}

function parameterizeList(operands: readonly unknown[], place: Place): Json | undefined {
  const [operand] = operands
  if (!Array.isArray(operand)) return undefined
  const lists = operands.map((list) => (list as unknown[]).map((value) => labelAt(value, place)))
  const areLabels = operands.length > 1 && lists.every((list) => !list.includes(undefined))
  return areLabels ? createConstantChoice(lists as Json[][]) : drawMany(operand, place)
}

function parameterizeElement(operands: readonly unknown[], place: Place): Json | undefined {
  if (isOperators(operands[0])) return parameterizeCondition(operands, place)
  return isDocument(operands[0])
    ? parameterizeFilter(operands as BsonDocument[], { ...place, path: `${place.path}.` })
    : undefined
}

/** The same value, with labels as the made-up data writes them. */
function asWritten(value: unknown, place: Place): Json {
  if (Array.isArray(value)) return value.map((item) => asWritten(item, place))
  if (!isOperators(value)) return labelAt(value, place) ?? literal(value)
  return Object.fromEntries(Object.entries(value).map(([operator, operand]) => [operator, asWritten(operand, place)]))
}

/** The value of a picked document; a label of the profile itself, because programs ask for few of them. */
function equalTo(examples: readonly unknown[], place: Place): Json {
  const labels = examples.map((value) => labelAt(value, place)).filter((label) => label !== undefined)
  // A single call does not show which labels are asked for.
  const areKnown = labels.length === examples.length && (labels.length > 1 || typeof examples[0] === 'boolean')
  return areKnown ? createConstantChoice(labels) : drawAt(examples[0], place)
}

/** How the made-up data writes one of the few values of a field. Undefined if the field has many. */
function labelAt(value: unknown, place: Place): Json | undefined {
  if (typeof value === 'boolean') return value
  const kind = determineScalarKind(value)
  const scalars = findKnown(place)?.shape.scalars.get(kind)
  const few = scalars ? fewValues(kind, scalars, place.path, { ...place, notes: createNotes() }) : []
  return few.find(({ of }) => of === String(value))?.value
}

/** A choice has no more values: a spec is to be read. */
const maxConstants = 10

/** One of the values of the profile itself. */
function chooseCopied(values: readonly Json[], { path, copied }: Place): Json {
  copied(`${path} in filters`, distinct(values).slice(0, maxConstants))
  return createConstantChoice(values)
}

/** One of the values, as often as calls have it: of many distinct ones those that are evenly apart in the list. */
export function createConstantChoice(values: readonly Json[]): Json {
  const step = values.length / maxConstants
  const taken =
    distinct(values).length <= maxConstants
      ? values
      : Array.from({ length: maxConstants }, (_, i) => values[Math.floor((i + 0.5) * step)] ?? null)
  const chosen = distinct(taken)
  const weights = chosen.map((one) => taken.filter((value) => JSON.stringify(value) === JSON.stringify(one)).length)
  return chosen.length === 1 ? (chosen[0] ?? null) : { '@choice': { values: chosen, weights } }
}

/** One of whole numbers of calls, as they were spread. Undefined: none of them is above 0, which is as without them. */
export function createNumberChoice(values: readonly unknown[]): Json | undefined {
  // A limit below 0 is one batch of as many.
  const numbers = values.map((value) => Math.abs(Math.trunc(Number(value)))).toSorted((a, b) => a - b)
  return numbers.at(-1) === 0 ? undefined : createConstantChoice(numbers)
}

/** The pattern and the options of a condition with `$regex`. */
function readRegex({ $regex, $options = '', ...others }: BsonDocument): Regex {
  if (Object.keys(others).length > 0) throw new CannotParameterize('they use "$regex" beside other operators')
  const { pattern, options } = $regex instanceof BSONRegExp ? $regex : { pattern: String($regex), options: '' }
  return { pattern, options: options || String($options) }
}

type Regex = Pick<BSONRegExp, 'pattern' | 'options'>

/** The beginning of a value, as long as the text in the pattern. */
function parameterizeRegex({ pattern, options }: Regex, place: Place): Json {
  if (!findKnown(place)?.shape.scalars.has('string'))
    throw new CannotParameterize('they use "$regex" on what is not text')
  const texts = pattern.replaceAll(/\\./g, '.').match(/[\p{L}\p{N} _@-]+/gu) ?? []
  const length = Math.max(1, ...texts.map((text) => text.length))
  const begin = { '@substrCP': [drawAt('a', place), 0, length] }
  const $regex = pattern.startsWith('^') ? { '@concat': ['^', begin] } : begin
  return options === '' ? { $regex } : { $regex, $options: options }
}

/** Points become those of a picked document; distances and areas stay. */
function parameterizeGeo(condition: BsonDocument, { root, path, ask }: Place): Json | undefined {
  const fieldPath = findFieldPath(root, path, true)
  if (!fieldPath || !['$near', '$nearSphere', '$geoWithin', '$geoIntersects'].some((key) => key in condition))
    return undefined
  ask(path)
  const isGeoJson = fieldPath.shape.object !== undefined
  const point = createVariablePath('like', fieldPath.steps)
  const coordinates = isGeoJson ? createVariablePath('like', [...fieldPath.steps, 'coordinates']) : point
  const geometry = isGeoJson ? point : { type: 'Point', coordinates }
  const replaced = (value: unknown, key: string): Json => {
    if (isDocument(value)) return key === '$geometry' && value['type'] === 'Point' ? geometry : fieldsOf(value)
    if (key === '$near' || key === '$nearSphere') return coordinates
    return key.startsWith('$center') ? [coordinates, literal(getMember(value, '1'))] : literal(value)
  }
  const fieldsOf = (fields: BsonDocument): JsonObject =>
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, replaced(value, key)]))
  return fieldsOf(condition)
}

function findKnown({ root, path, ask }: Place): FieldPath | undefined {
  const fieldPath = findFieldPath(root, path)
  if (fieldPath) ask(path)
  return fieldPath
}

const createVariablePath = (name: string, steps: readonly string[]): Json => ({ '@var': [name, ...steps].join('.') })

/** The value that a picked document has at a path. */
function drawAt(example: unknown, place: Place): Json {
  if (example === null) return null
  if (place.path === '_id') return { '@key': place.picked }
  const fieldPath = findKnown(place)
  if (!fieldPath) return place.like(example, place.path)
  const { steps, isOptional } = fieldPath
  // An array in the filter compares with the whole array of the document.
  const isWhole = Array.isArray(example)
  const value = createVariablePath('like', isWhole && steps.at(-1) === '0' ? steps.slice(0, -1) : steps)
  return isOptional && !isWhole ? place.orDrawn(value, fieldPath, place.path) : value
}

/** Values of as many picked documents as there are examples. */
function drawMany(examples: readonly unknown[], place: Place): Json {
  const { path, picked } = place
  const size = Math.max(1, examples.length)
  if (path === '_id') return { '@array': { size, of: { '@key': picked } } }
  const fieldPath = findKnown(place)
  if (!fieldPath) return { '@array': { size, of: place.like(examples[0] ?? null, path) } }
  const [field = ''] = fieldPath.steps
  const input = { '@array': { size, of: { '@document': { ...picked, project: { [field]: 1 } } } } }
  return { '@map': { input, as: 'one', in: createVariablePath('one', fieldPath.steps) } }
}

const windows = 10

/** The ranges of the profile; of a single one those of its width, anywhere between the minimum and the maximum of the sample. */
function parameterizeRange(conditions: readonly BsonDocument[], place: Place): Json | undefined {
  const bounds = Object.entries(conditions[0] ?? {}).toSorted(([a], [b]) => a.localeCompare(b))
  if (!/^\$gte?,\$lte?$/.test(bounds.map(([operator]) => operator).join())) return undefined
  const [[from, first], [to, last]] = bounds as [[string, unknown], [string, unknown]]
  const kind = determineScalarKind(first)
  const seen = findKnown(place)?.shape.scalars.get(kind)
  const width = Number(toComparableNumber(last)) - Number(toComparableNumber(first))
  if (Number.isNaN(width) || seen?.min === undefined) return undefined
  if (conditions.length > 1 && place.keepValues) return chooseCopied(conditions.map(literalFields), place)
  const room = Math.max(0, Number(seen.max) - Number(seen.min) - width)
  const values = Array.from({ length: windows }, (_, i) => {
    const start = Number(seen.min) + (room * i) / (windows - 1)
    return { [from]: fromComparableNumber(kind, start), [to]: fromComparableNumber(kind, start + width) }
  })
  return { '@choice': { values } }
}
