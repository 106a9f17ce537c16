/** A value of JSON. Specs stay plain JSON until their values are compiled; BSON types are written as Extended JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** Keys and indexes from the root. */
export type Path = readonly (string | number)[]

/** Whether a value is an object, and neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses JSON. Undefined: the text is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Items that differ: of those that are the same as JSON, the last one at the place of the first. */
export const distinct = <Item>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
]

/** A text as it is, other values as JSON. `String` would call `toString` of an object, which a spec may define. */
export const jsonText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Whether a value has no more levels of lists and objects than that. What recurses over a deeper one from a file would exhaust the stack. */
export const isWithin = (levels: number, value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((part) => isWithin(levels - 1, part)))

/** JSON in which the keys of every object are sorted: values that differ in their order alone have the same text. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (isObject(part) ? sortedKeys(part) : part))

export const sortedKeys = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** A path as text: `phases[0].operations[1].filter`. */
export function pathText(path: Path): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (/^[\w@$-]+$/.test(step)) text += text === '' ? step : `.${step}`
    else text += `[${JSON.stringify(step)}]`
  }
  return text
}

/** The parts of a list or an object, each behind its step. Other values have none. */
export function listParts(node: Json | undefined): readonly (readonly [step: string | number, part: Json])[] {
  if (Array.isArray(node)) return [...(node as readonly Json[]).entries()]
  return isObject(node) ? Object.entries(node) : []
}

/** A list or an object with each of its parts replaced. Other values stay. */
export function mapParts(node: Json, map: (part: Json, step: string | number) => Json): Json {
  if (Array.isArray(node)) return (node as readonly Json[]).map(map)
  return isObject(node) ? Object.fromEntries(Object.entries(node).map(([key, part]) => [key, map(part, key)])) : node
}

/** The part at a path. Undefined: there is none. */
export const partAt = (root: unknown, path: Path): Json | undefined =>
  path.reduce<unknown>(
    (node, step) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, step)
        ? (node as Record<string | number, unknown>)[step]
        : undefined,
    root,
  ) as Json | undefined
