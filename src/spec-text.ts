import { type SpecInput } from './define-spec.ts'
import { Problem } from './errors.ts'

/**
 * The text of a spec that a program has made.
 * @throws {Problem} where it holds a value that JSON would silently make another one of, or fail on.
 */
export const specText = (spec: SpecInput): string => JSON.stringify(spec, refuseOthers, 2)

/** Asks the holder: what is handed in has been through `toJSON`, which makes a text of a date. */
function refuseOthers(this: unknown, key: string, value: unknown): unknown {
  const kind = kindBesideJson(Reflect.get(Object(this), key))
  if (kind === undefined) return value
  throw new Problem('spec-invalid', `spec: "${key}" is a ${kind}, which JSON does not have`, {
    hint: 'Write it as Extended JSON, such as { $date: "2026-01-01T00:00:00Z" } or { $numberLong: "5" }.',
  })
}

function kindBesideJson(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `number ${value}`
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') return typeof value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const prototype: unknown = Object.getPrototypeOf(value)
  // Of plain objects it is the last one, in whichever realm they were made.
  return prototype === null || Object.getPrototypeOf(prototype) === null ? undefined : value.constructor.name
}
