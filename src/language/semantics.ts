import { isObject, type Json } from '../json.ts'
import { memberOf } from '../values/bson-types.ts'
import { isWrapper } from '../values/extended-json.ts'
import { type Call } from './parse.ts'

/** What a call makes of the values of its arguments. As in MongoDB, `{"@max": x}` takes the greatest element where x turns out to be a list. */
export function functionOf({ called, spreads }: Call): (values: readonly unknown[]) => unknown {
  const { apply } = called
  if (!spreads) return apply
  return (values) => {
    const [only] = values
    return apply(Array.isArray(only) ? only : values)
  }
}

/** What stands at a dotted path in a value. Null where there is nothing. */
export const valueAt = (value: unknown, steps: readonly string[]): unknown => steps.reduce(memberOf, value) ?? null

/** A field or an element of JSON, as `valueAt` finds it in the value: a typed value of Extended JSON has none. */
export const jsonMember = (node: Json | undefined, step: string): Json | undefined =>
  isObject(node) && isWrapper(node) ? undefined : (memberOf(node, step) as Json | undefined)
