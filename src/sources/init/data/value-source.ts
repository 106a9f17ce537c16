import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { expressionsIn } from '../../../language/expression.ts'
import { type FieldPath } from '../collection/field-path.ts'
import { type Shape } from '../collection/shape.ts'
import { createValueGenerator, type DrawContext, inCall } from './draws.ts'

/** Source of the values of queries: documents of the data set, or a sample of an existing collection. */
export type ValueSource = {
  readonly isGenerated: boolean
  readonly valueAt: (fieldPath: FieldPath, path: string) => Json
  /** Adds the `let` that the arguments of an operation need. */
  readonly withLet: (drawn: JsonObject) => JsonObject
}

/** Takes all values of an operation from one picked document, so that they match at least that document. */
export const valuesOfDocuments = (context: DrawContext, of: JsonObject = {}): ValueSource => ({
  isGenerated: true,
  valueAt: (fieldPath, path) => valueOfDocument(fieldPath, path, context),
  withLet: (drawn) => (sampledPaths(drawn).length > 0 ? { let: { like: { '@document': of } }, ...drawn } : drawn),
})

/** Draws the values of an operation from one sampled document of an existing collection. */
export const valuesOfSample: ValueSource = {
  isGenerated: false,
  valueAt: ({ steps }) => ({ '@var': ['like', ...steps].join('.') }),
  withLet: drawTogether,
}

const readsLike = (node: unknown): node is { readonly '@var': string } =>
  isObject(node as Json) && String((node as JsonObject)['@var']).startsWith('like.')

/** The paths of the document `like` that values are taken from, without positions in lists. */
const sampledPaths = (drawn: JsonObject): readonly string[] =>
  expressionsIn(drawn).flatMap(({ keyword, argument }) =>
    keyword === '@var' && String(argument).startsWith('like.')
      ? [
          String(argument)
            .slice('like.'.length)
            .replaceAll(/\.\d+(?=\.|$)/g, ''),
        ]
      : [],
  )

/** A single value needs no `let`, and comes from any element of a list. */
function drawTogether(drawn: JsonObject): JsonObject {
  const [path, ...others] = sampledPaths(drawn)
  if (path === undefined) return drawn
  if (others.length > 0) return { let: { like: { '@sample': { path: [...new Set([path, ...others])] } } }, ...drawn }
  const sample = { '@sample': { path } }
  return JSON.parse(JSON.stringify(drawn), (_, node: unknown) => (readsLike(node) ? sample : node)) as JsonObject
}

/** The arguments of a call on made-up documents, drawn from a sample of an existing collection instead. */
export function fromSample({ let: __, ...drawn }: JsonObject): JsonObject {
  const read = JSON.parse(JSON.stringify(drawn), (_, node: Json) => {
    if (!isObject(node)) return node
    if (node['@key'] !== undefined) return { '@sample': { path: '_id' } }
    const { project } = isObject(node['@document']) ? node['@document'] : {}
    return isObject(project) ? { '@sample': { path: Object.keys(project) } } : node
  }) as JsonObject
  return drawTogether(read)
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
