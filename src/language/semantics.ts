import { isObject, type Json, type Path } from '../core/json.ts'
import { NoResult } from './invalid-part.ts'
import { type Call } from './parse.ts'
import { getMember } from './values/bson-types.ts'
import { isWrapper, toJson } from './values/extended-json.ts'

/** What a call makes of the values of its arguments. As in MongoDB, `{"@max": x}` takes the greatest element where x turns out to be a list. */
export function createFunction({ called, spreads }: Call): (values: readonly unknown[]) => unknown {
  const { apply } = called
  return spreads ? (values) => apply(spread(values)) : apply
}

const spread = (values: readonly unknown[]): readonly unknown[] => (Array.isArray(values[0]) ? values[0] : values)

/**
 * The same, for a spec: as in MongoDB, null makes null, and other arguments without a result are refused.
 * @param path The place of the call.
 */
export function createStrictFunction({ called, spreads }: Call, path: Path): (values: readonly unknown[]) => unknown {
  const { apply, keyword, mayBeNull } = called
  return (values) => {
    const args = spreads ? spread(values) : values
    const result = apply(args)
    if (result !== null || args.length === 0 || args.some(isAbsent) || mayBeNull?.(args)) return result
    throw new NoResult(path, `"${keyword}" has no result for ${shortText(args)}`)
  }
}

const isAbsent = (arg: unknown): boolean => arg === null || arg === undefined

const maxText = 80

function shortText(args: readonly unknown[]): string {
  const text = args.map((arg) => (typeof arg === 'number' ? String(arg) : JSON.stringify(toJson(arg)))).join(', ')
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text
}

/** What stands at a dotted path in a value. Null where there is nothing. */
export const valueAt = (value: unknown, steps: readonly string[]): unknown => steps.reduce(getMember, value) ?? null

/** A field or an element of JSON, as `valueAt` finds it in the value: a typed value of Extended JSON has none. */
export const jsonMember = (node: Json | undefined, step: string): Json | undefined =>
  isObject(node) && isWrapper(node) ? undefined : (getMember(node, step) as Json | undefined)
