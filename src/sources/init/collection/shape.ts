import { DBRef } from 'bson'
import { type BsonDocument, isDocument } from '../../../language/values/bson-types.ts'
import { type Kind, determineScalarKind, toComparableNumber } from './kinds.ts'

export type Seen = { readonly value: unknown; count: number }

/** Statistics of all scalar values of one kind at one path. */
export class Scalars {
  count = 0
  min: number | bigint | undefined = undefined
  max: number | bigint | undefined = undefined
  /** Whether no value has a fraction: programs often store whole numbers as doubles. */
  allWhole = true
  /** Digits behind the point, where integers stand among doubles. */
  readonly decimals?: number
  /** UTF-8 bytes of strings, bytes of binary data. */
  minBytes = Infinity
  maxBytes = 0
  totalBytes = 0
  digits = false
  lower = false
  upper = false
  readonly seen = new Map<string, Seen>()
}

/** Embedded documents at one path: how many, the shape of each field, and how often there were others than those. */
export type Fields = { count: number; readonly fields: Map<string, Shape>; others: number }

export type Elements = {
  count: number
  totalLength: number
  minLength: number
  maxLength: number
  /** -1 when arrays differ in length. */
  length: number
  readonly element: Shape
  /** Shapes by position, for arrays as short as coordinates. */
  readonly positions: Shape[]
}

/** Statistics of the values at one path of the sampled documents, of whatever type. */
export class Shape {
  /** Values of all types, including null. */
  count = 0
  nulls = 0
  /** Values nested deeper than the maximum depth. */
  tooDeep = 0
  readonly scalars = new Map<Kind, Scalars>()
  object: Fields | undefined = undefined
  array: Elements | undefined = undefined
}

/** Limits that bound memory, whatever the documents are. */
const maxFields = 500
const maxSeen = 5000
const maxElements = 50
const maxIdentityLength = 100
/** Each level nests a spec up to six levels deeper, and a spec may have a hundred levels. */
const maxDepth = 14
const maxTupleLength = 4

/** Adds one value to the statistics of a shape. It keeps only what a generator needs. */
export function observe(shape: Shape, value: unknown, depth = 0): void {
  shape.count++
  if (value === null || value === undefined) shape.nulls++
  else if (Array.isArray(value) || (isDocument(value) && !(value instanceof DBRef))) {
    if (depth >= maxDepth) shape.tooDeep++
    else if (Array.isArray(value)) observeList(shape, value, depth)
    else observeFields(shape, value as BsonDocument, depth)
  } else observeScalar(shape, value)
}

function observeFields(shape: Shape, value: BsonDocument, depth: number): void {
  const object = (shape.object ??= { count: 0, fields: new Map(), others: 0 })
  object.count++
  for (const [name, item] of Object.entries(value)) {
    let field = object.fields.get(name)
    if (!field && object.fields.size < maxFields) object.fields.set(name, (field = new Shape()))
    if (field) observe(field, item, depth + 1)
    else object.others++
  }
}

function observeList(shape: Shape, list: readonly unknown[], depth: number): void {
  const array = (shape.array ??= {
    count: 0,
    totalLength: 0,
    minLength: list.length,
    maxLength: list.length,
    length: list.length,
    element: new Shape(),
    positions: [],
  })
  array.count++
  array.totalLength += list.length
  array.minLength = Math.min(array.minLength, list.length)
  array.maxLength = Math.max(array.maxLength, list.length)
  if (array.length !== list.length) array.length = -1
  for (const [i, item] of list.slice(0, maxElements).entries()) {
    observe(array.element, item, depth + 1)
    if (i < maxTupleLength && array.length !== -1) observe((array.positions[i] ??= new Shape()), item, depth + 1)
  }
}

function observeScalar(shape: Shape, value: unknown): void {
  const kind = determineScalarKind(value)
  let scalars = shape.scalars.get(kind)
  if (!scalars) shape.scalars.set(kind, (scalars = new Scalars()))
  scalars.count++
  const measure = toComparableNumber(value)
  if (measure !== undefined) observeMeasure(scalars, measure)
  const bytes = countBytes(value)
  scalars.minBytes = Math.min(scalars.minBytes, bytes)
  scalars.maxBytes = Math.max(scalars.maxBytes, bytes)
  scalars.totalBytes += bytes
  if (typeof value === 'string') observeLetters(scalars, value.slice(0, maxIdentityLength))
  const identity = createValueKey(value)
  const known = scalars.seen.get(identity)
  if (known) known.count++
  else if (scalars.seen.size < maxSeen) scalars.seen.set(identity, { value: keepShortString(value), count: 1 })
}

function observeMeasure(scalars: Scalars, measure: number | bigint): void {
  const { min, max } = scalars
  if (min === undefined || measure < min) scalars.min = measure
  if (max === undefined || measure > max) scalars.max = measure
  if (typeof measure === 'number' && !Number.isInteger(measure)) scalars.allWhole = false
}

function observeLetters(scalars: Scalars, text: string): void {
  scalars.digits ||= /\d/.test(text)
  scalars.upper ||= /\p{Lu}/u.test(text)
  scalars.lower ||= /[^\d\p{Lu}]/u.test(text)
}

function countBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'object' && value !== null && 'position' in value) return Number(value.position)
  return 0
}

/** Long strings of the same length and beginning count as equal, to save memory. */
const createValueKey = (value: unknown): string =>
  typeof value === 'string'
    ? `${value.length} ${value.slice(0, maxIdentityLength)}`
    : String(value).slice(0, maxIdentityLength)

/** Only short strings may be written into a spec. */
const keepShortString = (value: unknown): unknown =>
  typeof value === 'string' && value.length > maxIdentityLength ? undefined : value
