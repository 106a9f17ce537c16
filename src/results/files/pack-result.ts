import { isObject, type Json } from '../../core/json.ts'
import { type Result } from '../schema.ts'

/** A result in the form of its file: values that rows of a compact result have in common are written once, under `shared`. */
export function packResult(result: Result): { readonly format: string; readonly [field: string]: unknown } {
  if (!result.compact) return { ...result }
  const { value, shared } = shareValues(result.variants as unknown as Json)
  return { ...result, shared, variants: value }
}

/** Reverses `packResult`. A file without `shared` stays as it is. */
export function unpackResult(file: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { shared, ...rest } = file
  return Array.isArray(shared) ? { ...rest, variants: unshareValues(rest['variants'] as Json, shared as Json[]) } : file
}

/** Characters of JSON. Sharing shorter values would not save space. */
const minSharedLength = 32

const keyword = '@shared'

/** Replaces values that occur several times by references to a list, to make the file smaller. */
export function shareValues(value: Json): { readonly value: Json; readonly shared: readonly Json[] } {
  const repeated = repeatedTexts(value)
  const shared: Json[] = []
  const places = new Map<string, number>()
  const share = (part: Json): Json => {
    const text = sharedText(part)
    if (text === null || !repeated.has(text)) return mapped(part, share)
    const place = places.get(text) ?? shared.push(part) - 1
    places.set(text, place)
    return { [keyword]: place }
  }
  return { value: share(value), shared }
}

/** Characters of JSON that references may stand for altogether: a damaged file of a few megabytes could stand for any number of them. */
const maxUnsharedLength = 2 ** 28

/** Replaces references by their values. The schema rejects a reference that points nowhere, or beyond what they may stand for, so it stays. */
export function unshareValues(value: Json, shared: readonly Json[], maxLength = maxUnsharedLength): Json {
  const lengths: number[] = []
  let left = maxLength
  const unshare = (part: Json): Json => {
    const place = isObject(part) ? part[keyword] : undefined
    const found = typeof place === 'number' ? shared[place] : undefined
    if (typeof place !== 'number' || found === undefined) return mapped(part, unshare)
    left -= lengths[place] ??= JSON.stringify(found).length
    return left < 0 ? part : found
  }
  return unshare(value)
}

function repeatedTexts(value: Json): ReadonlySet<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const look = (part: Json): Json => {
    const text = sharedText(part)
    if (text !== null) (seen.has(text) ? repeated : seen).add(text)
    return mapped(part, look)
  }
  look(value)
  return repeated
}

function sharedText(part: Json): string | null {
  if (typeof part !== 'string' && (typeof part !== 'object' || part === null)) return null
  const text = JSON.stringify(part)
  return text.length < minSharedLength ? null : text
}

function mapped(value: Json, change: (part: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => change(item))
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)])) : value
}
