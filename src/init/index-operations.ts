import { type Json, type JsonObject } from '../json.ts'
import { type PlannedIndex } from './indexes.ts'
import { distinctNames, operationName } from './names.ts'
import { type Notes } from './notes.ts'
import { findPlace, mainKind, type Place } from './places.ts'
import { type Shape } from './shape.ts'

/** Where the values of queries come from: documents of the data set, or a sample of a collection that is there. */
export type ValueSource = {
  readonly valueAt: (place: Place, path: string) => Json
  /** What an operation needs besides, so that its values can be drawn. */
  readonly fields: JsonObject
}

/** Of a picked document: several values of one operation fit together, and at least that document has them. */
export const valuesOfRows = (collection?: string): ValueSource => ({
  valueAt: ({ steps }) => ({ '@var': ['like', ...steps].join('.') }),
  fields: { let: { like: { '@document': collection === undefined ? {} : { of: collection } } } },
})

/** Of documents that are there, each value for itself. */
export const valuesOfSample: ValueSource = {
  valueAt: (_place, path) => ({ '@sample': { path } }),
  fields: {},
}

const pageSize = 20

/** One operation for each index, so that it is used as it was meant: by its first field, in its order. */
export function operationsForIndexes(
  indexes: readonly PlannedIndex[],
  { shape, source, weight, notes }: { shape: Shape; source: ValueSource; weight: number; notes: Notes },
): readonly JsonObject[] {
  const free = distinctNames(['byId', 'insertOne', 'updateOne', 'mix', 'read'])
  return indexes.flatMap((index) => {
    const query = index.spec['hidden'] === true ? undefined : queryFor(index, shape, source)
    if (query === undefined) {
      notes.add(nothingAsks(index.name))
      return []
    }
    const { collation, partialFilterExpression } = index.spec
    const { kind, filter, ...rest } = query
    return [
      {
        kind: kind ?? 'find',
        name: free(operationName(index.name)),
        weight,
        ...source.fields,
        // A partial index is used by queries that say its condition.
        filter: { ...(partialFilterExpression as JsonObject | undefined), ...(filter as JsonObject) },
        ...rest,
        ...(collation === undefined ? {} : { collation }),
      },
    ]
  })
}

export const nothingAsks = (index: string): string =>
  `Nothing asks for the index "${index}": write an operation for it if your program does.`

/** Kinds of which nobody asks for one exact value. */
const continuous: ReadonlySet<string | undefined> = new Set(['date', 'double', 'decimal'])

function queryFor({ key, unique }: PlannedIndex, shape: Shape, source: ValueSource): JsonObject | undefined {
  const [first, ...rest] = key
  if (!first) return undefined
  const [field, direction] = first
  const place = findPlace(shape, field)
  if (!place) return undefined
  const value = source.valueAt(place, field)
  if (direction === 'text') return { filter: { $text: { $search: value } }, limit: pageSize }
  if (direction === '2dsphere' || direction === '2d') return nearQuery(field, shape, source, direction)
  if (place.steps.length > 0 && unique && source.fields['let'] !== undefined) {
    const filter = equalities(key, shape, source)
    if (filter) return { kind: 'findOne', filter }
  }
  const isRange = direction !== 'hashed' && continuous.has(mainKind(place.shape))
  const sorted = isRange ? key : rest
  const canSort = sorted.length > 0 && sorted.every(([, order]) => typeof order === 'number')
  return {
    filter: { [field]: isRange ? { $gte: value } : value },
    ...(canSort ? { sort: Object.fromEntries(sorted) } : {}),
    limit: pageSize,
  }
}

function equalities(key: PlannedIndex['key'], shape: Shape, source: ValueSource): JsonObject | undefined {
  const filter: Record<string, Json> = {}
  for (const [field] of key) {
    const place = findPlace(shape, field)
    if (!place) return undefined
    filter[field] = source.valueAt(place, field)
  }
  return filter
}

/** Coordinates are asked for whole, not their first number. */
function nearQuery(field: string, root: Shape, source: ValueSource, kind: '2d' | '2dsphere'): JsonObject | undefined {
  const shape = field.split('.').reduce<Shape | undefined>((at, step) => at?.object?.fields.get(step), root)
  if (!shape) return undefined
  const value = source.valueAt({ shape, steps: field.split('.') }, field)
  const isGeoJson = shape.object !== undefined
  // A sample gives the elements of a list, and a pair of coordinates is one.
  if (!isGeoJson && source.fields['let'] === undefined) return undefined
  const near = isGeoJson ? { $near: { $geometry: value } } : kind === '2d' ? { $near: value } : undefined
  return near && { filter: { [field]: near }, limit: pageSize }
}
