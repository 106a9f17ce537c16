import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { type ValueSource } from '../data/value-source.ts'
import { distinctNames, operationName } from '../names.ts'
import { type Notes } from '../notes.ts'
import { findFieldPath, mainKind } from './field-path.ts'
import { type PlannedIndex } from './indexes.ts'
import { type Shape } from './shape.ts'

const pageSize = 20

export type QueryContext = { readonly shape: Shape; readonly source: ValueSource; readonly notes: Notes }

export function operationsForIndexes(
  indexes: readonly PlannedIndex[],
  { weight, ...context }: QueryContext & { readonly weight: number },
): readonly JsonObject[] {
  const free = distinctNames(['byId', 'insertOne', 'updateOne', 'mix', 'read'])
  return indexes.flatMap((index) => {
    const query = queryForIndex(index, context)
    if (query === undefined) return []
    const { kind, ...rest } = query
    return [{ kind, name: free(operationName(index.name)), weight, ...rest }]
  })
}

/** An operation that uses an index by its leading fields and in its order. Undefined, with a note, if there is none. */
export function queryForIndex(
  { name, key, unique, spec }: PlannedIndex,
  { shape, source, notes }: QueryContext,
): (JsonObject & { readonly kind: string }) | undefined {
  const query = spec['hidden'] === true ? undefined : queryFor(key, unique, shape, source)
  if (query === undefined) {
    notes.add(unusedIndex(name))
    return undefined
  }
  const { collation, partialFilterExpression: condition } = spec
  const { kind = 'find', filter: asked, ...rest } = query
  const filter = condition === undefined ? asked : withCondition(asked, condition as JsonObject)
  return { kind, ...source.withLet({ filter }), ...rest, ...(collation === undefined ? {} : { collation }) }
}

export const unusedIndex = (index: string): string =>
  `No operation uses the index "${index}": add one if your program does.`

type Query = { readonly kind?: string; readonly filter: JsonObject } & JsonObject

/** Kinds that programs query by range, not by an exact value. */
const continuous: ReadonlySet<string | undefined> = new Set(['date', 'double', 'decimal'])

function queryFor(key: PlannedIndex['key'], isUnique: boolean, shape: Shape, source: ValueSource): Query | undefined {
  const [[field, direction] = ['', 1]] = key
  const fieldPath = findFieldPath(shape, field)
  if (!fieldPath) return undefined
  if (direction === '2dsphere' || direction === '2d') return nearQuery(field, shape, source, direction)
  const value = source.valueAt(fieldPath, field)
  if (direction === 'text') return { filter: { $text: { $search: value } }, limit: pageSize }
  const exact = isUnique && source.isGenerated ? equalities(key, shape, source) : undefined
  return exact ? { kind: 'findOne', filter: exact } : orderedQuery(key, shape, source)
}

/** A query by the leading fields of an index, in its order. */
function orderedQuery(key: PlannedIndex['key'], shape: Shape, source: ValueSource): Query {
  const [[field, direction] = ['', 1]] = key
  const fieldPath = findFieldPath(shape, field)
  const isRange = direction !== 'hashed' && fieldPath !== undefined && continuous.has(mainKind(fieldPath.shape))
  const equal = key.slice(0, isRange ? 0 : countEqual(key, shape))
  const sorted = key.slice(equal.length)
  const canSort = sorted.length > 0 && sorted.every(([, order]) => typeof order === 'number')
  return {
    filter: isRange
      ? { [field]: { $gte: source.valueAt(fieldPath, field) } }
      : (equalities(equal, shape, source) ?? {}),
    ...(canSort && { sort: Object.fromEntries(sorted) }),
    limit: pageSize,
  }
}

/** Equality on all fields but the last, which is the order, and on none from the first that programs query by range. */
function countEqual(key: PlannedIndex['key'], shape: Shape): number {
  const ends = key.findIndex(([field, order], i) => {
    const fieldPath = findFieldPath(shape, field)
    return i > 0 && (!fieldPath || typeof order === 'string' || continuous.has(mainKind(fieldPath.shape)))
  })
  return Math.max(1, Math.min(key.length - 1, ends === -1 ? key.length : ends))
}

function equalities(key: PlannedIndex['key'], shape: Shape, source: ValueSource): JsonObject | undefined {
  const filter: Record<string, Json> = {}
  for (const [field] of key) {
    const fieldPath = findFieldPath(shape, field)
    if (!fieldPath) return undefined
    filter[field] = source.valueAt(fieldPath, field)
  }
  return filter
}

/** A query near a point, which is the whole value at the field. */
function nearQuery(field: string, root: Shape, source: ValueSource, kind: '2d' | '2dsphere'): Query | undefined {
  const fieldPath = findFieldPath(root, field, true)
  if (!fieldPath) return undefined
  const value = source.valueAt(fieldPath, field)
  const isGeoJson = fieldPath.shape.object !== undefined
  // A sample returns the elements of an array, and a pair of coordinates is an array.
  if (!isGeoJson && !source.isGenerated) return undefined
  const near = isGeoJson ? { $near: { $geometry: value } } : kind === '2d' ? { $near: value } : undefined
  return near && { filter: { [field]: near }, limit: pageSize }
}

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
