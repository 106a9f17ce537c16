/** V8 makes longer literals slow dictionaries from the start, like objects that are built key by key. */
const maxKeysOfLiteral = 1000

type MakeObject = (values: readonly unknown[]) => Record<string, unknown>

/**
 * Returns a function that makes objects with these keys from values in the same order. It is compiled from an object literal:
 * adding keys one by one turns an object with more than a few into a slow dictionary. This is most of the cost of building a
 * document: see `bench/documents.ts`.
 */
export function objectMaker(keys: readonly string[]): MakeObject {
  if (keys.length > maxKeysOfLiteral) return (values) => keyByKey(keys, values)
  const fields = keys.map((key, i) => `${JSON.stringify(key)}:values[${i}]`)
  // The code holds only quoted keys and numbers. `__proto__`, which would set the prototype, is refused in specs.
  return new Function('values', `return {${fields.join(',')}}`) as MakeObject
}

function keyByKey(keys: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (let i = 0; i < keys.length; i++) made[keys[i] as string] = values[i]
  return made
}
