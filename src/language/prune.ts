import { z } from 'zod'
import { isObject, type Json, type Path } from '../core/json.ts'
import { isStatic, isUnresolved } from './expression.ts'
import { isValueSchema } from './value-schema.ts'

/** Optional, default and so on say nothing about the shape: this is what is inside of them. */
function unwrapSchema(schema: unknown): unknown {
  if (isValueSchema(schema)) return schema
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return unwrapSchema(schema.unwrap())
  if (schema instanceof z.ZodPipe) return unwrapSchema(schema.in)
  if (schema instanceof z.ZodLazy) return unwrapSchema(schema.unwrap())
  return schema
}

/** The member of a union that a node is meant to be: by its kind, else the first that has the node's shape. */
function memberFor(union: z.ZodUnion, node: Json): unknown {
  const options = union.options.map(unwrapSchema)
  const kind = isObject(node) ? node['kind'] : undefined
  const byKind = options.find(
    (option) => option instanceof z.ZodObject && getLiteral(option.shape['kind']) === kind && kind !== undefined,
  )
  if (byKind) return byKind
  if (Array.isArray(node)) return options.find((option) => option instanceof z.ZodArray)
  if (!isObject(node)) return undefined
  const objects = options.filter((option) => option instanceof z.ZodObject)
  const fits = (option: z.ZodObject): boolean =>
    Object.keys(node).every((key) => key === 'when' || Object.hasOwn(option.shape, key))
  return objects.find(fits) ?? objects[0]
}

function getLiteral(schema: unknown): unknown {
  const inner = unwrapSchema(schema)
  return inner instanceof z.ZodLiteral ? inner.value : undefined
}

type Prune = { readonly origins: Origins; readonly report: (path: Path, reason: string) => void }

/**
 * Removes what is not there: items of lists whose `when` is false, and fields that are null. The schema says where that
 * holds; inside of values both are left alone, for `null` and `when` are the user's own there.
 */
export function prune(schema: unknown, node: Json, context: Prune, path: Path = []): Json {
  const inner = unwrapSchema(schema)
  if (isValueSchema(inner)) return node
  if (inner instanceof z.ZodUnion) return prune(memberFor(inner, node), node, context, path)
  if (Array.isArray(node))
    return pruneList(inner instanceof z.ZodArray ? inner.element : undefined, node, context, path)
  return isObject(node) ? pruneObject(inner, node, context, path) : node
}

function pruneList(element: unknown, list: readonly Json[], context: Prune, path: Path): Json {
  if (isValueSchema(unwrapSchema(element))) return list
  const kept = list
    .map((item, i) => ({ item, i }))
    .filter(({ item, i }) => isPresent(element, item, context, [...path, i]))
  const pruned = kept.map(({ item, i }) => prune(element, item, context, [...path, i]))
  keepOrigins(
    list,
    pruned,
    kept.map(({ i }, now) => [now, i]),
    context.origins,
  )
  return pruned
}

function isPresent(element: unknown, item: Json, { report }: Prune, path: Path): boolean {
  if (item === null) return false
  if (!isObject(item) || !('when' in item)) return true
  const { when = null } = item
  const isDrawn = !isStatic(when)
  if (isDrawn && declaresWhen(element, item)) return true
  if (typeof when !== 'boolean' && !isUnresolved(when))
    report([...path, 'when'], `"when" must be true or false${isDrawn ? ', known when the plan is made' : ''}`)
  return when !== false
}

/** Steps decide while the spec runs whether they are called, so their `when` is a field of theirs. */
function declaresWhen(element: unknown, item: Json): boolean {
  const inner = unwrapSchema(element)
  const schema = inner instanceof z.ZodUnion ? memberFor(inner, item) : inner
  return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, 'when')
}

function pruneObject(schema: unknown, object: { readonly [key: string]: Json }, context: Prune, path: Path): Json {
  const fieldOf = (key: string): unknown =>
    schema instanceof z.ZodObject
      ? (schema.shape[key] ?? schema.def.catchall)
      : schema instanceof z.ZodRecord
        ? schema.valueType
        : undefined
  const inList = typeof path.at(-1) === 'number'
  // A value that must be given may be null; one that need not be given is not given then.
  const isPlain = (key: string, item: Json): boolean => item !== null || isValueSchema(fieldOf(key))
  const isSpent = (key: string, item: Json): boolean =>
    inList && key === 'when' && (isStatic(item) || fieldOf(key) === undefined)
  const kept = Object.entries(object).filter(([key, item]) => !isSpent(key, item) && isPlain(key, item))
  const pruned = Object.fromEntries(
    kept.map(([key, item]) => [key, prune(fieldOf(key), item, context, [...path, key])]),
  )
  keepOrigins(
    object,
    pruned,
    kept.map(([key]) => [key, key]),
    context.origins,
  )
  return pruned
}

function keepOrigins(
  from: object,
  to: object,
  keys: readonly (readonly [string | number, string | number])[],
  origins: Origins,
): void {
  const known = origins.get(from)
  if (!known) return
  const places = keys.map(([now, before]) => [now, known.get(before)] as const)
  // A key that was never folded stands where its object does.
  origins.set(to, new Map(places.filter((place): place is readonly [string | number, Path] => place[1] !== undefined)))
}

/** Arguments of a generator: null means not given, except in places for values. */
export const dropNulls = (schema: unknown, node: Json): Json =>
  prune(schema, node, { origins: new WeakMap(), report: () => {} })

/** The paths in the file of the children of folded objects and lists, for error messages. */
export type Origins = WeakMap<object, ReadonlyMap<string | number, Path>>
