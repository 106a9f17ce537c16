import { isObject, type Json, listParts } from '../../core/json.ts'
import { asExpression } from '../../language/expression.ts'
import { type CollectionName } from '../operations/operation.ts'
import { type DataSetSpec } from '../schema/data-schema.ts'

/** The fields of an operation that name its collection. */
export type Addressed = {
  readonly collection?: CollectionName | undefined
  readonly let?: Readonly<Record<string, unknown>> | undefined
}

/** Whether the collection of an operation is drawn for every call. */
export const isDrawn = ({ collection }: Addressed): boolean => isObject(collection)

/**
 * Finds the data set that an operation works on: by the name of a collection, or where names are drawn by the text with which
 * they begin. An operation that names none works on the first.
 */
export function findSet(
  { collection, let: given = {} }: Addressed,
  data: readonly DataSetSpec[],
): DataSetSpec | undefined {
  if (collection === undefined) return data[0]
  if (typeof collection === 'string')
    return data.find((spec) => spec.collections?.includes(collection) ?? spec.collection === collection)
  const start = findText(collection, given) ?? ''
  return data.find(({ collections }) => collections?.some((name) => name.startsWith(start)))
}

/** The first text of an expression. Undefined: it has none, or reads it from elsewhere. */
function findText(node: Json, given: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof node === 'string') return node
  const { keyword, argument } = asExpression(node) ?? {}
  if (keyword === '@var') return findText((given[String(argument)] ?? null) as Json, {})
  for (const [, part] of listParts(node)) {
    const text = findText(part, given)
    if (text !== undefined) return text
  }
  return undefined
}

/** The data set's own name for the collections that an operation works on; a name that none has as it is. */
export function listNames(addressed: Addressed, data: readonly DataSetSpec[]): readonly string[] {
  const { collection = isDrawn(addressed) ? undefined : addressed.collection } = findSet(addressed, data) ?? {}
  return typeof collection === 'string' ? [collection] : []
}

/** Names the collections of a data set that has several: "tenant0 … tenant99". */
export const describeCollections = ({ collections = [] }: DataSetSpec): string =>
  collections.length > 3 ? `${collections[0]} … ${collections.at(-1)}` : collections.join(', ')
