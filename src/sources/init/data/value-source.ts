import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { expressionsIn } from '../../../language/expression.ts'
import { type FieldPath } from '../collection/field-path.ts'
import { type Shape } from '../collection/shape.ts'
import { createValueGenerator, type DrawContext, inCall } from './draws.ts'

/** Source of the values of queries: documents of the data set, or a sample of an existing collection. */
export type ValueSource = {
  readonly isGenerated: boolean
  readonly valueAt: (fieldPath: FieldPath, path: string) => Json
  /** The `let` that an operation with this filter needs. */
  readonly letFor: (filter: JsonObject) => JsonObject
}

/** Takes all values of an operation from one picked document, so that they match at least that document. */
export const valuesOfDocuments = (context: DrawContext, of: JsonObject = {}): ValueSource => ({
  isGenerated: true,
  valueAt: (fieldPath, path) => valueOfDocument(fieldPath, path, context),
  letFor: (filter) =>
    expressionsIn(filter).some(({ keyword }) => keyword === '@var') ? { let: { like: { '@document': of } } } : {},
})

/** Draws each value independently from a sample of an existing collection. */
export const valuesOfSample: ValueSource = {
  isGenerated: false,
  valueAt: (_fieldPath, path) => ({ '@sample': { path } }),
  letFor: () => ({}),
}

/** Generators whose values occur in one document only. */
const oneOfMany: ReadonlySet<string | undefined> = new Set(['@pickValue', '@string', '@objectId', '@uuid'])

/** Avoids null: programs do not query for it, and many indexes do not hold it. */
function valueOfDocument({ shape, steps, isOptional }: FieldPath, path: string, context: DrawContext): Json {
  const value = { '@var': ['like', ...steps].join('.') }
  return isOptional && !context.unique.has(path) ? orDrawn(value, shape, path, context) : value
}

/** A value of a document, replaced by a drawn one where it is null. */
export function orDrawn(value: Json, shape: Shape, path: string, context: DrawContext): Json {
  const drawn = createValueGenerator({ ...shape, nulls: 0 }, path, inCall(context))
  const keyword = isObject(drawn) ? Object.keys(drawn)[0] : undefined
  return oneOfMany.has(keyword) ? { '@cond': [{ '@eq': [value, null] }, drawn, value] } : drawn
}
