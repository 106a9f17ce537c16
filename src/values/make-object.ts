/** Longer literals are slow dictionaries from the start, like objects that are built key by key. */
const mostKeysOfLiteral = 1000

type MakeObject = (values: readonly unknown[]) => Record<string, unknown>

/**
 * Makes objects of the same keys from values in their order. Adding keys one by one turns an object of more than a few into
 * a slow dictionary; a literal has its shape at once, and here the keys are known before any object is made. That is most
 * of the cost of building a document: see `bench/documents.ts`.
 */
export function objectMaker(keys: readonly string[]): MakeObject {
  if (keys.length > mostKeysOfLiteral) return (values) => keyByKey(keys, values)
  const fields = keys.map((key, i) => `${JSON.stringify(key)}:values[${i}]`)
  // The text is made of quoted keys and numbers alone. `__proto__`, which would set the prototype, is refused in specs.
  return new Function('values', `return {${fields.join(',')}}`) as MakeObject
}

function keyByKey(keys: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (let i = 0; i < keys.length; i++) made[keys[i] as string] = values[i]
  return made
}
