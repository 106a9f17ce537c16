import { Problem } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { type LoadedSpec, loadSpecFile, loadSpecText } from './load-spec.ts'
import { type Overrides } from './parse/overrides.ts'
import { type SpecInput } from './spec-input.ts'

/**
 * The JSON text of a spec from a program.
 * @throws {Problem} where it has a value that JSON would silently change, or fail on.
 */
export const specText = (spec: SpecInput): string => JSON.stringify(spec, refuseOthers, 2)

/** Reads the value from its object: the argument has been through `toJSON`, which converts a date to a text. */
function refuseOthers(this: unknown, key: string, value: unknown): unknown {
  const kind = kindOutsideJson(Reflect.get(Object(this), key))
  if (kind === undefined) return value
  throw new Problem('spec-invalid', `spec: "${key}" is a ${kind}, which JSON does not have`, {
    hint: 'Write it as Extended JSON, such as { $date: "2026-01-01T00:00:00Z" } or { $numberLong: "5" }.',
  })
}

function kindOutsideJson(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `number ${value}`
  if (['bigint', 'function', 'symbol'].includes(typeof value)) return typeof value
  if (!isObject(value)) return undefined
  const prototype: unknown = Object.getPrototypeOf(value)
  // The prototype of a plain object has none itself, in any realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null
    ? undefined
    : (value as object).constructor.name
}

/**
 * Reads and validates a spec: the path of a file, or a spec made with `defineSpec`. Contacts no server.
 * @throws {Problem} with all issues of the spec, each as `file:line:column: path: reason`.
 */
export async function loadSpec(spec: string | SpecInput, overrides: Overrides = {}): Promise<LoadedSpec> {
  return typeof spec === 'string' ? loadSpecFile(spec, overrides) : loadSpecText(specText(spec), 'spec', overrides)
}
