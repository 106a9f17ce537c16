import { z } from 'zod'
import { isObject, type Json, type Path } from '../json.ts'
import { type Origins } from './origins.ts'
import { isStatic, isUnresolved } from './expression.ts'
import { isValuePlace } from './value-place.ts'

/** The inner schema of each wrapper, by the wrapper: schemas do not change, and each is needed for every spec. */
const unwrapped = new WeakMap<object, unknown>()

/** The schema inside of optional, default and other wrappers. */
function unwrapSchema(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (!unwrapped.has(schema)) unwrapped.set(schema, insideOf(schema))
  return unwrapped.get(schema)
}

function insideOf(schema: object): unknown {
  if (isValuePlace(schema)) return schema
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

/** The member of a union that matches a node: by its kind, or the first that has all of the node's keys. */
function memberFor(union: z.ZodUnion, node: Json): unknown {
  const options = union.options.map(unwrapSchema)
  const kind = isObject(node) ? node['kind'] : undefined
  const byKind = options.find(
    (option) => option instanceof z.ZodObject && literalOf(option.shape['kind']) === kind && kind !== undefined,
  )
  if (byKind) return byKind
  if (Array.isArray(node)) return options.find((option) => option instanceof z.ZodArray)
  if (!isObject(node)) return undefined
  const objects = options.filter((option) => option instanceof z.ZodObject)
  const fits = (option: z.ZodObject): boolean =>
    Object.keys(node).every((key) => key === 'when' || Object.hasOwn(option.shape, key))
  return objects.find(fits) ?? objects[0]
}

function literalOf(schema: unknown): unknown {
  const inner = unwrapSchema(schema)
  return inner instanceof z.ZodLiteral ? inner.value : undefined
}

type Prune = {
  readonly origins: Origins
  readonly report: (path: Path, reason: string) => void
}

/**
 * Removes items of lists whose `when` is false, and fields that are null. Places for values are left as they are: `null` and
 * `when` belong to the user there.
 */
export function prune(schema: unknown, node: Json, context: Prune, path: Path = []): Json {
  const inner = unwrapSchema(schema)
  if (isValuePlace(inner)) return node
  if (inner instanceof z.ZodUnion) return prune(memberFor(inner, node), node, context, path)
  if (Array.isArray(node))
    return pruneList(inner instanceof z.ZodArray ? inner.element : undefined, node, context, path)
  return isObject(node) ? pruneObject(inner, node, context, path) : node
}

function pruneList(element: unknown, list: readonly Json[], context: Prune, path: Path): Json {
  if (isValuePlace(unwrapSchema(element))) return list
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

/** Whether the schema has a field `when`: that of steps is evaluated while the spec runs. */
function declaresWhen(element: unknown, item: Json): boolean {
  const inner = unwrapSchema(element)
  const schema = inner instanceof z.ZodUnion ? memberFor(inner, item) : inner
  return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, 'when')
}

function pruneObject(schema: unknown, object: { readonly [key: string]: Json }, context: Prune, path: Path): Json {
  const fieldOf = (key: string): unknown =>
    schema instanceof z.ZodObject ? schema.shape[key] : schema instanceof z.ZodRecord ? schema.valueType : undefined
  const inList = typeof path.at(-1) === 'number'
  // Null is a value in places for values; elsewhere it means "not given".
  const isPlain = (key: string, item: Json): boolean => item !== null || isValuePlace(fieldOf(key))
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
  // A key that was never folded has the path of its object.
  origins.set(to, new Map(places.filter((place): place is readonly [string | number, Path] => place[1] !== undefined)))
}

/** Removes null arguments of a generator, except in places for values. */
export const dropNulls = (schema: unknown, node: Json): Json =>
  prune(schema, node, { origins: new WeakMap(), report: () => {} })
