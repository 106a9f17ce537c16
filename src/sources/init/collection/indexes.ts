import { type Json, type JsonObject } from '../../../core/json.ts'
import { isUsableKey } from '../../../language/values/keys.ts'
import { type DrawContext } from '../data/draws.ts'
import { type FoundIndex, type CollectionProfile } from './collection-profile.ts'
import { findFieldPath, mainKind, placesIn } from './field-path.ts'
import { literal } from './kinds.ts'
import { type Elements, type Shape } from './shape.ts'

/** An index of the spec, with its fields. */
export type PlannedIndex = {
  readonly name: string
  /** Fields in order, with 1, -1 or the type of a special index. */
  readonly key: readonly (readonly [field: string, direction: 1 | -1 | string])[]
  readonly unique: boolean
  readonly spec: JsonObject
}

const copiedOptions = ['sparse', 'hidden', 'partialFilterExpression', 'wildcardProjection'] as const

/** Options of a collation with their defaults (ICU's root). */
const collationDefaults: Readonly<Record<string, Json>> = {
  caseLevel: false,
  caseFirst: 'off',
  strength: 3,
  numericOrdering: false,
  alternate: 'non-ignorable',
  maxVariable: 'punct',
  backwards: false,
  normalization: false,
}

/** Options that are kept, noted, or versions of the server's formats. */
const knownOptions: ReadonlySet<string> = new Set([
  ...'v key name ns background unique prepareUnique clustered expireAfterSeconds collation weights'.split(' '),
  ...'default_language language_override textIndexVersion 2dsphereIndexVersion'.split(' '),
  ...copiedOptions,
])

const specialKinds = new Set(['text', 'hashed', '2d', '2dsphere'])

type NotedBy = Pick<DrawContext, 'notes' | 'keepValues'>

/**
 * The indexes of a collection for a spec. What does not work on generated documents is left out, with a note.
 * @param keepValues Whether the condition of a partial index may contain real strings.
 */
export function planIndexes(profile: CollectionProfile, context: NotedBy): readonly PlannedIndex[] {
  const indexes = listCollectionIndexes(profile).filter(({ key }) => Object.keys(key).join() !== '_id')
  return indexes.flatMap((index) => planIndex(index, profile, context) ?? [])
}

function planIndex(
  index: FoundIndex,
  { shape, options }: CollectionProfile,
  { notes, keepValues }: NotedBy,
): PlannedIndex | undefined {
  const { name, partialFilterExpression: condition } = index
  const key = toIndexKey(index)
  const mayCopy = keepValues || !holdsText(condition)
  const reason = mayCopy ? reasonAgainst(key, shape) : 'its condition holds values that must not be copied'
  if (reason !== undefined) {
    notes.add(`The index "${name}" is left out: ${reason}.`)
    return undefined
  }
  const unique = index['unique'] === true && isUniquePossible(key, shape)
  const isSparse = index['sparse'] === true && key.some(([field]) => findFieldPath(shape, field)?.isOptional)
  const lost = Object.keys(index).filter((option) => !knownOptions.has(option))
  notes.addThose([
    [
      index['expireAfterSeconds'] !== undefined,
      `The index "${name}" expires nothing here: generated documents would disappear during the measurement.`,
    ],
    [condition !== undefined, `The condition of the partial index "${name}" is as it was, with the values in it.`],
    [isSparse, `The sparse index "${name}" is larger here: every document has its field, be it as null.`],
    [
      index['unique'] === true && !unique,
      `The index "${name}" is not unique here: its fields have a type that no generator makes unique.`,
    ],
    [lost.length > 0, `Options of the index "${name}" that a spec does not have: ${lost.join(', ')}.`],
  ])
  // Otherwise it would have the collation of the collection.
  const isSimple = options['collation'] !== undefined && index['collation'] === undefined
  const spec = { ...indexSpec(index, key, unique), ...(isSimple && { collation: { locale: 'simple' } }) }
  return { name, key, unique, spec }
}

/** Indexes of a time-series collection, and one that stands for the order of its buckets. */
function listCollectionIndexes({ indexes, kind, options }: CollectionProfile): readonly FoundIndex[] {
  if (kind !== 'timeseries') return indexes
  const { metaField, timeField } = options['timeseries'] as { readonly metaField?: string; readonly timeField: string }
  const key = { ...(metaField === undefined ? {} : { [metaField]: 1 }), [timeField]: 1 }
  return findByKey(indexes, key) ? indexes : [...indexes, { name: Object.entries(key).flat().join('_'), key }]
}

export const findByKey = (indexes: readonly FoundIndex[], key: object): FoundIndex | undefined =>
  indexes.find((index) => JSON.stringify(toIndexKey(index)) === JSON.stringify(Object.entries(key)))

/** Whether a value holds text, apart from names of fields and types. */
export const holdsText = (node: unknown): boolean =>
  typeof node === 'string' ||
  (typeof node === 'object' &&
    node !== null &&
    Object.entries(node).some(([key, item]) => key !== '$type' && holdsText(item)))

/** The fields of an index; those of a text index are in its weights. */
export function toIndexKey({ key, weights }: FoundIndex): PlannedIndex['key'] {
  return Object.entries(key).flatMap(([field, direction]): PlannedIndex['key'] => {
    if (field === '_ftsx') return []
    if (field === '_fts') return Object.keys(weights as object).map((name) => [name, 'text'] as const)
    return [[field, typeof direction === 'string' ? direction : Number(direction) < 0 ? -1 : 1]]
  })
}

function indexSpec(index: FoundIndex, key: PlannedIndex['key'], unique: boolean): JsonObject {
  const options = copiedOptions.flatMap((name): (readonly [string, Json])[] =>
    index[name] === undefined ? [] : [[name, literal(index[name])]],
  )
  const isText = key.some(([, kind]) => kind === 'text')
  return {
    key: Object.fromEntries(key),
    ...(index.name === usualName(key) ? {} : { name: index.name }),
    ...(unique ? { unique } : {}),
    ...Object.fromEntries(options),
    ...(isText ? textOptions(index) : {}),
    ...simplifyCollation(index['collation']),
  }
}

/** The name that the server gives an index by default. */
export const usualName = (key: PlannedIndex['key']): string => key.flat().join('_')

function textOptions({ weights, default_language: language }: FoundIndex): JsonObject {
  const isEven = Object.values((weights ?? {}) as object).every((weight) => Number(weight) === 1)
  return {
    ...(isEven ? {} : { weights: literal(weights) }),
    ...(language === 'english' ? {} : { default_language: literal(language) }),
  }
}

/** A collation without defaults and without the ICU version that the server adds. */
export function simplifyCollation(collation: unknown): JsonObject {
  if (typeof collation !== 'object' || collation === null) return {}
  const given = new Map(Object.entries(collation))
  const locale = literal(given.get('locale'))
  const others = Object.entries(collationDefaults).flatMap(([name, usual]): (readonly [string, Json])[] => {
    const value = literal(given.get(name))
    return value === null || value === usual ? [] : [[name, value]]
  })
  return { collation: { locale, ...Object.fromEntries(others) } }
}

/** The reason why a spec cannot have an index. Undefined if it can. */
export function reasonAgainst(key: PlannedIndex['key'], shape: Shape): string | undefined {
  return key.map(([field, kind]) => reasonAgainstField(field, kind, shape)).find((reason) => reason !== undefined)
}

function reasonAgainstField(field: string, kind: string | number, shape: Shape): string | undefined {
  const steps = field.split('.')
  if (typeof kind === 'string' && !specialKinds.has(kind)) return `specs have no index of type ${kind}`
  if (field.includes('$**')) return undefined
  if (steps.some((step) => !isUsableKey(step) || step.startsWith('$')))
    return `a spec does not allow the name "${field}"`
  if (!findFieldPath(shape, field)) return `no document of the sample has "${field}"`
  const holder = steps.reduce<Shape | undefined>((at, step) => at?.object?.fields.get(step), shape)
  const isGeo = kind === '2dsphere' || kind === '2d'
  return isGeo && !(holder && holdsPoints(holder)) ? `"${field}" holds values that are not points` : undefined
}

/** Whether all values are GeoJSON points or pairs of coordinates: generators make no other valid geometries. */
function holdsPoints({ object, array }: Shape): boolean {
  const types = object?.fields.get('type')?.scalars.get('string')
  if (!object || !types) return isPair(array)
  const arePoints = [...types.seen.values()].every(({ value }) => value === 'Point')
  return arePoints && isPair(object.fields.get('coordinates')?.array)
}

const isPair = (array: Elements | undefined): boolean => array?.length === 2 && array.element.scalars.has('double')

/** The field that makes a unique index unique: one is enough. */
export const uniqueField = (key: PlannedIndex['key'], shape: Shape): string | undefined =>
  key.find(([field]) => {
    const fieldPath = findFieldPath(shape, field)
    return fieldPath && canBeUnique(fieldPath.shape)
  })?.[0]

function isUniquePossible(key: PlannedIndex['key'], shape: Shape): boolean {
  return key.some(([field]) => field === '_id') || uniqueField(key, shape) !== undefined
}

const uniqueKinds: ReadonlySet<string | undefined> = new Set(['int', 'long', 'double', 'objectId', 'uuid', 'string'])
const canBeUnique = (shape: Shape): boolean => uniqueKinds.has(mainKind(shape))

/** Every path that an index can name. */
export const pathsIn = (shape: Shape): readonly string[] => [...new Set(placesIn(shape).map(([path]) => path))]
