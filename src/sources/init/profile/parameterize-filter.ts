import { BSONRegExp, Double } from 'bson'
import { type Json, type JsonObject } from '../../../core/json.ts'
import { type BsonDocument, isDocument, isOperators, getMember } from '../../../language/values/bson-types.ts'
import { isUsableKey } from '../../../language/values/keys.ts'
import { findFieldPath, type FieldPath } from '../collection/field-path.ts'
import { determineScalarKind, literal, literalFields, toComparableNumber } from '../collection/kinds.ts'
import { type Shape } from '../collection/shape.ts'
import { fewValues } from '../data/few-values.ts'
import { createNotes } from '../notes.ts'

/** Thrown if the values of a query cannot be parameterized. The message completes the note "Operations left out because …". */
export class CannotParameterize extends Error {}

/** Replaces the values of queries on one collection by generators. */
export type Parameterizer = {
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
export function parameterizeFilter(
  filters: readonly BsonDocument[],
  parameterizer: Parameterizer,
  prefix = '',
): JsonObject {
  const entries = Object.entries(filters[0] ?? {}).map(([key, condition]): readonly [string, Json] => {
    const conditions = filters.map((filter) => filter[key])
    if (!isUsableKey(key)) throw new CannotParameterize(`they use the key "${key}"`)
    if (key === '$and' || key === '$or' || key === '$nor')
      return [
        key,
        (condition as BsonDocument[]).map((_, i) => {
          const parts = conditions.map((list) => (list as BsonDocument[])[i] ?? {})
          return parameterizeFilter(parts, parameterizer, prefix)
        }),
      ]
    if (key === '$text' && parameterizer.textField !== undefined)
      return [
        key,
        { ...literalFields(condition as BsonDocument), $search: drawAt(parameterizer.textField, 'a', parameterizer) },
      ]
    if (key.startsWith('$') && !parameterizer.keep.has(key)) throw new CannotParameterize(`they use "${key}"`)
    return [
      key,
      key.startsWith('$') ? literal(condition) : parameterizeCondition(conditions, prefix + key, parameterizer),
    ]
  })
  return Object.fromEntries(entries)
}

/** Conditions of the same shape on one path, as one. */
export function parameterizeCondition(
  conditions: readonly unknown[],
  path: string,
  parameterizer: Parameterizer,
): Json {
  const [condition] = conditions
  if (parameterizer.keep.has(path)) return asWritten(condition, path, parameterizer)
  if (condition instanceof BSONRegExp) return parameterizeRegex(condition, path, parameterizer)
  if (!isOperators(condition)) return equalTo(path, conditions, parameterizer)
  if ('$regex' in condition) {
    const { $regex, $options = '', ...others } = condition
    if (Object.keys(others).length > 0) throw new CannotParameterize('they use "$regex" beside other operators')
    const { pattern, options } = $regex instanceof BSONRegExp ? $regex : { pattern: String($regex), options: '' }
    return parameterizeRegex({ pattern, options: options || String($options) }, path, parameterizer)
  }
  const special =
    parameterizeRange(conditions as BsonDocument[], path, parameterizer) ??
    parameterizeGeo(condition, path, parameterizer)
  if (special !== undefined) return special
  return Object.fromEntries(
    Object.keys(condition).map((operator) => {
      const operands = conditions.map((one) => (one as BsonDocument)[operator])
      return [operator, parameterizeOperand(operator, operands, path, parameterizer)]
    }),
  )
}

const ordered: ReadonlySet<string> = new Set(['$gt', '$gte', '$lt', '$lte'])
const listed: ReadonlySet<string> = new Set(['$in', '$nin', '$all'])
/** Operators whose operands are not values of a document. */
const structural: ReadonlySet<string> = new Set(['$exists', '$type', '$size', '$mod'])

function parameterizeOperand(
  operator: string,
  operands: readonly unknown[],
  path: string,
  parameterizer: Parameterizer,
): Json {
  const [operand] = operands
  if (parameterizer.keep.has(operator)) return asWritten(operand, path, parameterizer)
  if (operator === '$eq' || operator === '$ne') return equalTo(path, operands, parameterizer)
  if (ordered.has(operator)) return constants(path, operands, parameterizer) ?? drawAt(path, operand, parameterizer)
  if (listed.has(operator) && Array.isArray(operand)) {
    const lists = operands.map((list) => (list as unknown[]).map((value) => labelAt(path, value, parameterizer)))
    const areLabels = lists.every((list) => !list.includes(undefined))
    return areLabels && operands.length > 1
      ? createConstantChoice(lists as Json[][])
      : drawMany(path, operand, parameterizer)
  }
  if (structural.has(operator)) return literal(operand)
  if (operator === '$not') return parameterizeCondition(operands, path, parameterizer)
  if (operator === '$elemMatch' && isDocument(operand))
    return isOperators(operand)
      ? parameterizeCondition(operands, path, parameterizer)
      : parameterizeFilter(operands as BsonDocument[], parameterizer, `${path}.`)
  throw new CannotParameterize(`they use "${operator}"`)
}

/** The same value, with labels as the made-up data writes them. */
function asWritten(value: unknown, path: string, parameterizer: Parameterizer): Json {
  if (Array.isArray(value)) return value.map((item) => asWritten(item, path, parameterizer))
  if (!isOperators(value)) return labelAt(path, value, parameterizer) ?? literal(value)
  return Object.fromEntries(
    Object.entries(value).map(([operator, operand]) => [operator, asWritten(operand, path, parameterizer)]),
  )
}

/** The value of a picked document; a label of the profile itself, because programs ask for few of them. */
function equalTo(path: string, examples: readonly unknown[], parameterizer: Parameterizer): Json {
  const labels = examples.map((value) => labelAt(path, value, parameterizer))
  // A single call does not show which labels are asked for.
  const areKnown =
    labels.every((label) => label !== undefined) && (examples.length > 1 || typeof examples[0] === 'boolean')
  return areKnown ? createConstantChoice(labels) : drawAt(path, examples[0], parameterizer)
}

/** How the made-up data writes one of the few values of a field. Undefined if the field has many. */
function labelAt(path: string, value: unknown, parameterizer: Parameterizer): Json | undefined {
  if (typeof value === 'boolean') return value
  const scalars = known(path, parameterizer)?.shape.scalars.get(determineScalarKind(value))
  const few =
    scalars && fewValues(determineScalarKind(value), scalars, path, { ...parameterizer, notes: createNotes() })
  return few?.find(({ of }) => of === String(value))?.value
}

/** Numbers and dates of the profile itself: where a range begins decides how many documents it has. */
function constants(
  path: string,
  examples: readonly unknown[],
  { keepValues, copied }: Parameterizer,
): Json | undefined {
  if (!keepValues || path === '_id' || examples.some((value) => toComparableNumber(value) === undefined))
    return undefined
  const values = examples.map(literal)
  copied(`${path} in filters`, removeDuplicates(values).slice(0, maxConstants))
  return createConstantChoice(values)
}

/** A choice has no more values: a spec is to be read. */
const maxConstants = 10
const removeDuplicates = (values: readonly Json[]): readonly Json[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
]

/** One of the values, as often as calls have it: of many distinct ones those that are evenly apart in the list. */
export function createConstantChoice(values: readonly Json[]): Json {
  const step = values.length / maxConstants
  const taken =
    removeDuplicates(values).length <= maxConstants
      ? values
      : Array.from({ length: maxConstants }, (_, i) => values[Math.floor((i + 0.5) * step)] ?? null)
  const chosen = removeDuplicates(taken)
  const weights = chosen.map((one) => taken.filter((value) => JSON.stringify(value) === JSON.stringify(one)).length)
  return chosen.length === 1 ? (chosen[0] ?? null) : { '@choice': { values: chosen, weights } }
}

/** One of whole numbers of calls, as they were spread. Undefined: none of them is above 0, which is as without them. */
export function createNumberChoice(values: readonly unknown[]): Json | undefined {
  // A limit below 0 is one batch of as many.
  const numbers = values.map((value) => Math.abs(Math.trunc(Number(value)))).toSorted((a, b) => a - b)
  return numbers.at(-1) === 0 ? undefined : createConstantChoice(numbers)
}

/** The beginning of a value, as long as the text in the pattern. */
function parameterizeRegex(
  { pattern, options }: Pick<BSONRegExp, 'pattern' | 'options'>,
  path: string,
  parameterizer: Parameterizer,
): Json {
  const fieldPath = known(path, parameterizer)
  if (!fieldPath?.shape.scalars.has('string')) throw new CannotParameterize('they use "$regex" on what is not text')
  const texts = pattern.replaceAll(/\\./g, '.').match(/[\p{L}\p{N} _@-]+/gu) ?? []
  const length = Math.max(1, ...texts.map((text) => text.length))
  const begin = { '@substrCP': [drawAt(path, 'a', parameterizer), 0, length] }
  const $regex = pattern.startsWith('^') ? { '@concat': ['^', begin] } : begin
  return options === '' ? { $regex } : { $regex, $options: options }
}

/** Points become those of a picked document; distances and areas stay. */
function parameterizeGeo(condition: BsonDocument, path: string, { root, ask }: Parameterizer): Json | undefined {
  const near = condition['$near'] ?? condition['$nearSphere'] ?? condition['$geoWithin'] ?? condition['$geoIntersects']
  const fieldPath = findFieldPath(root, path, true)
  if (near === undefined || !fieldPath) return undefined
  ask(path)
  const isGeoJson = fieldPath.shape.object !== undefined
  const point = createVariablePath('like', fieldPath.steps)
  const coordinates = isGeoJson ? createVariablePath('like', [...fieldPath.steps, 'coordinates']) : point
  const replaced = (value: unknown, key: string): Json => {
    if (key === '$geometry' && getMember(value, 'type') === 'Point')
      return isGeoJson ? point : { type: 'Point', coordinates }
    if (key === '$near' || key === '$nearSphere') return isDocument(value) ? fieldsOf(value) : coordinates
    if (key === '$center' || key === '$centerSphere') return [coordinates, literal(getMember(value, '1'))]
    return isDocument(value) ? fieldsOf(value) : literal(value)
  }
  const fieldsOf = (fields: BsonDocument): JsonObject =>
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, replaced(value, key)]))
  return fieldsOf(condition)
}

const known = (path: string, { root, ask }: Parameterizer): FieldPath | undefined => {
  const fieldPath = findFieldPath(root, path)
  if (fieldPath) ask(path)
  return fieldPath
}

const createVariablePath = (name: string, steps: readonly string[]): Json => ({ '@var': [name, ...steps].join('.') })

/** The value that a picked document has at a path. */
function drawAt(path: string, example: unknown, parameterizer: Parameterizer): Json {
  if (example === null) return null
  if (path === '_id') return { '@key': parameterizer.picked }
  const fieldPath = known(path, parameterizer)
  // An array in the filter compares with the whole array of the document.
  const steps =
    fieldPath && Array.isArray(example) && fieldPath.steps.at(-1) === '0'
      ? fieldPath.steps.slice(0, -1)
      : fieldPath?.steps
  if (!fieldPath || !steps) return parameterizer.like(example, path)
  const value = createVariablePath('like', steps)
  return fieldPath.isOptional && !Array.isArray(example) ? parameterizer.orDrawn(value, fieldPath, path) : value
}

/** Values of as many picked documents as there are examples. */
function drawMany(path: string, examples: readonly unknown[], parameterizer: Parameterizer): Json {
  const size = Math.max(1, examples.length)
  if (path === '_id') return { '@array': { size, of: { '@key': parameterizer.picked } } }
  const fieldPath = known(path, parameterizer)
  if (!fieldPath) return { '@array': { size, of: parameterizer.like(examples[0] ?? null, path) } }
  const [field = ''] = fieldPath.steps
  const input = { '@array': { size, of: { '@document': { ...parameterizer.picked, project: { [field]: 1 } } } } }
  return { '@map': { input, as: 'one', in: createVariablePath('one', fieldPath.steps) } }
}

const windows = 10
const lower: ReadonlySet<string> = new Set(['$gt', '$gte'])
const upper: ReadonlySet<string> = new Set(['$lt', '$lte'])

/** The ranges of the profile; of a single one those of its width, anywhere between the minimum and the maximum of the sample. */
function parameterizeRange(
  conditions: readonly BsonDocument[],
  path: string,
  parameterizer: Parameterizer,
): Json | undefined {
  const [condition = {}] = conditions
  const [from, to, ...others] = Object.entries(condition).toSorted(
    ([a], [b]) => Number(upper.has(a)) - Number(upper.has(b)),
  )
  if (!from || !to || others.length > 0 || !lower.has(from[0]) || !upper.has(to[0])) return undefined
  const [first, last] = [toComparableNumber(from[1]), toComparableNumber(to[1])]
  const kind = determineScalarKind(from[1])
  const seen = known(path, parameterizer)?.shape.scalars.get(kind)
  if (first === undefined || last === undefined || seen?.min === undefined) return undefined
  if (conditions.length > 1 && parameterizer.keepValues) {
    const ranges = conditions.map(literalFields)
    parameterizer.copied(`${path} in filters`, removeDuplicates(ranges).slice(0, maxConstants))
    return createConstantChoice(ranges)
  }
  const width = Number(last) - Number(first)
  const room = Math.max(0, Number(seen.max) - Number(seen.min) - width)
  const values = Array.from({ length: windows }, (_, i) => {
    const start = Number(seen.min) + (room * i) / (windows - 1)
    return { [from[0]]: ofKind(kind, start), [to[0]]: ofKind(kind, start + width) }
  })
  return { '@choice': { values } }
}

function ofKind(kind: ReturnType<typeof determineScalarKind>, measure: number): Json {
  if (kind === 'date') return literal(new Date(Math.round(measure)))
  if (kind === 'int') return Math.round(measure)
  if (kind === 'long') return { $numberLong: BigInt(Math.round(measure)).toString() }
  if (kind === 'decimal') return { $numberDecimal: String(measure) }
  return literal(new Double(measure))
}
