import { type Json } from '../../../core/json.ts'
import { type Kind, literal } from '../collection/kinds.ts'
import { type Scalars, type Seen } from '../collection/shape.ts'
import { type Notes } from '../notes.ts'

export type Weighted = {
  readonly value: Json
  readonly weight: number
  /** The value of the original as text, or the kind of several values. Absent: documents and lists. */
  readonly of?: string
}

type FewContext = { readonly keepValues: boolean; readonly notes: Notes }

/** Kinds that often are labels: a status, a code. */
const labels: ReadonlySet<Kind> = new Set(['string', 'int', 'long', 'double', 'decimal'])

const maxValues = 10
const maxCopiedLength = 40
/** A rarer value may identify a person. */
const minOccurrences = 5

/** Types of GeoJSON: a geospatial index needs them, and they are not personal data. */
const geoTypes = new Set(['Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon'])

/** Consecutive integers, each about as frequent: a range describes them. */
function isEvenRange(kind: Kind, { seen, min, max }: Scalars): boolean {
  const counts = [...seen.values()].map(({ count }) => count)
  const isWholeRange = Number(max) - Number(min) + 1 === seen.size
  return (kind === 'int' || kind === 'long') && isWholeRange && Math.max(...counts) <= 2 * Math.min(...counts)
}

/** The values themselves if there are few short ones, such as a status, or placeholders of the same lengths. */
export function fewValues(kind: Kind, scalars: Scalars, path: string, context: FewContext): readonly Weighted[] {
  const { keepValues, notes } = context
  const values = findLabels(kind, scalars)
  const isText = values.every(({ value }) => typeof value === 'string')
  const isPublic = isText && values.every(({ value }) => geoTypes.has(String(value)))
  if (values.length === 0 || (!keepValues && !isText)) return []
  const copied = values.map(({ value }) => literal(value))
  if (keepValues && !isPublic) notes.copied(path, copied)
  return values.map(({ value, count: weight }, i) => ({
    value: keepValues || isPublic ? (copied[i] ?? null) : madeUp(String(value).length, i),
    weight,
    of: String(value),
  }))
}

/** The frequent values of a kind if they are few and short, and nearly all. */
function findLabels(kind: Kind, scalars: Scalars): readonly Seen[] {
  const { count, seen } = scalars
  if (!labels.has(kind) || seen.size > maxValues || isEvenRange(kind, scalars)) return []
  const values = [...seen.values()].filter((value) => value.count >= minOccurrences)
  const isWhole = values.reduce((sum, value) => sum + value.count, 0) * 10 >= count * 9
  return isWhole && values.every(({ value }) => isShort(value)) ? values : []
}

const isShort = (value: unknown): boolean =>
  value !== undefined && (typeof value !== 'string' || value.length <= maxCopiedLength)

const madeUp = (length: number, i: number): string => String.fromCharCode(97 + i).repeat(length)
