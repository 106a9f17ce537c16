import { isObject, type Json, type JsonObject } from '../json.ts'
import { expressionsIn } from '../language/expression.ts'
import { drawOf, type DrawContext } from './draws.ts'
import { type Place } from './places.ts'
import { type Shape } from './shape.ts'

/** Where the values of queries come from: documents of the data set, or a sample of a collection that is there. */
export type ValueSource = {
  readonly isMadeUp: boolean
  readonly valueAt: (place: Place, path: string) => Json
  /** What an operation with this filter needs besides. */
  readonly letFor: (filter: JsonObject) => JsonObject
}

/** Of a picked document: several values of one operation fit together, and at least that document has them. */
export const valuesOfRows = (context: DrawContext): ValueSource => ({
  isMadeUp: true,
  valueAt: (place, path) => valueOfRow(place, path, context),
  letFor: (filter) =>
    expressionsIn(filter).some(({ keyword }) => keyword === '@var') ? { let: { like: { '@document': {} } } } : {},
})

/** Of documents that are there, each value for itself. */
export const valuesOfSample: ValueSource = {
  isMadeUp: false,
  valueAt: (_place, path) => ({ '@sample': { path } }),
  letFor: () => ({}),
}

/** What these draw stands in no document but the one that it was drawn for. */
const oneOfMany: ReadonlySet<string | undefined> = new Set(['@pickValue', '@string', '@objectId', '@uuid'])

/** No program asks for a text, a point or a key that is null, and many an index does not hold it. */
function valueOfRow({ shape, steps, isOptional }: Place, path: string, context: DrawContext): Json {
  const value = { '@var': ['like', ...steps].join('.') }
  return isOptional && !context.unique.has(path) ? orDrawn(value, shape, path, context) : value
}

/** A value that may be null, or one like those that are not. */
export function orDrawn(value: Json, shape: Shape, path: string, context: DrawContext): Json {
  const drawn = drawOf({ ...shape, nulls: 0 }, path, context)
  const word = isObject(drawn) ? Object.keys(drawn)[0] : undefined
  return oneOfMany.has(word) ? { '@cond': [{ '@eq': [value, null] }, drawn, value] } : drawn
}
