import { isObject, type Json } from '../../core/json.ts'

/** JSON in which names of fields are written once: an object is the number of its fields' names, and its values; a list has none. */
export type PackedValues = { readonly names: readonly (readonly string[])[]; readonly value: Json }

const list = -1

/** Packs a value of JSON. Compressed, many alike objects take a quarter less. */
export function packValues(value: Json): PackedValues {
  const numbers = new Map<string, number>()
  const names: string[][] = []
  const numberOf = (fields: string[]): number => {
    const key = JSON.stringify(fields)
    const number = numbers.get(key) ?? names.push(fields) - 1
    numbers.set(key, number)
    return number
  }
  const pack = (part: Json): Json => {
    if (Array.isArray(part)) return [list, ...part.map((item: Json) => pack(item))]
    return isObject(part) ? [numberOf(Object.keys(part)), ...Object.values(part).map(pack)] : part
  }
  return { value: pack(value), names }
}

export function unpackValues({ names, value }: PackedValues): Json {
  const unpack = (part: Json): Json => {
    if (!Array.isArray(part)) return part
    const [number, ...values]: readonly Json[] = part
    const fields = names[Number(number)]
    const unpacked = values.map(unpack)
    return fields === undefined
      ? unpacked
      : Object.fromEntries(fields.map((name, index) => [name, unpacked[index] ?? null]))
  }
  return unpack(value)
}
