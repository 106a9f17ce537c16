/** What JSON can say. Specs stay plain JSON until their values are compiled; BSON types are written as Extended JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** Keys and indexes from the root. */
export type Path = readonly (string | number)[]

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text as it is, all else as JSON. `String` would call a method of an object, and a spec may name one `toString`. */
export const jsonText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** `phases[0].operations[1].filter`, as people read it. */
export function pathText(path: Path): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (/^[\w@$-]+$/.test(step)) text += text === '' ? step : `.${step}`
    else text += `[${JSON.stringify(step)}]`
  }
  return text
}
