import { type Json } from '../json.ts'
import { type Kind, literal } from './kinds.ts'
import { type Notes } from './notes.ts'
import { type Scalars } from './shape.ts'

/** A value and how often it is chosen. */
export type Weighted = { readonly value: Json; readonly weight: number }

type FewContext = { readonly keepValues: boolean; readonly notes: Notes }

/** Kinds that stand for a few things: a status, a code. */
const labels: ReadonlySet<Kind> = new Set(['string', 'int', 'long', 'double', 'decimal'])

const maxValues = 10
const maxCopiedLength = 40
/** A value that was seen less often may tell of a person rather than of the data. */
const minOccurrences = 5

/** Types of GeoJSON, which no index can do without and which say nothing of anybody. */
const geoTypes = new Set(['Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon'])

/** Numbers from one to another, each about as often: the range says it all. */
function isEvenRange(kind: Kind, { seen, min, max }: Scalars): boolean {
  const often = [...seen.values()].map(({ count }) => count)
  const isWholeRange = Number(max) - Number(min) + 1 === seen.size
  return (kind === 'int' || kind === 'long') && isWholeRange && Math.max(...often) <= 2 * Math.min(...often)
}

/** The values themselves where there are few short ones, such as a status; or others of the same lengths. */
export function fewValues(
  kind: Kind,
  scalars: Scalars,
  path: string,
  { keepValues, notes }: FewContext,
): readonly Weighted[] {
  if (!labels.has(kind) || isEvenRange(kind, scalars)) return []
  const { count, seen } = scalars
  const values = [...seen.values()].filter(({ count: often }) => often >= minOccurrences)
  const isFew = seen.size <= maxValues && values.length > 0 && values.every(({ value }) => isShort(value))
  const isWhole = values.reduce((sum, { count: often }) => sum + often, 0) * 10 >= count * 9
  if (!isFew || !isWhole) return []
  const isText = values.every(({ value }) => typeof value === 'string')
  const isPublic = isText && values.every(({ value }) => geoTypes.has(String(value)))
  if (!keepValues && !isPublic && !isText) return []
  if (keepValues && !isPublic)
    notes.copied(
      path,
      values.map(({ value }) => literal(value)),
    )
  return values.map(({ value, count: weight }, i) => ({
    value: keepValues || isPublic ? literal(value) : madeUp(String(value).length, i),
    weight,
  }))
}

const isShort = (value: unknown): boolean =>
  value !== undefined && (typeof value !== 'string' || value.length <= maxCopiedLength)

const madeUp = (length: number, i: number): string => String.fromCharCode(97 + i).repeat(length)
