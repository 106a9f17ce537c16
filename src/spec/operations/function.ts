import { Double } from 'bson'
import { z } from 'zod'
import { value } from '../../language/value-schema.ts'
import { isDocument } from '../../language/values/bson-types.ts'
import { defineOperation } from './operation.ts'

export const callFunction = defineOperation({
  kind: 'function',
  summary: 'Call a custom function that is passed alongside the spec.',
  needsCollection: false,
  fields: {
    function: z
      .string()
      .regex(/^[A-Za-z]\w*$/)
      .describe(
        'Name of the function: one that a module exports (`--functions <module>`), or one of `run(spec, { functions })`. The first argument of a call is an object with the `client`, the `db` and the `collection`.',
      ),
    with: value
      .default({})
      .describe(
        'Values for the second argument, by their names, drawn for each call. They have the types that the driver reads by default: an int64 is a number where that is exact. Default: none.',
      ),
  },
  reply: 'function',
  documentsPerCall: () => undefined,
  compile(spec, context) {
    const given = context.computed(spec.with, 'with')
    return (drawContext) => ({ with: asRead(given(drawContext)), options: {} })
  },
})

/** Converts values as a driver reads them from a server by default, in objects of the call's own. */
function asRead(drawn: unknown): unknown {
  if (typeof drawn === 'bigint') return Number.isSafeInteger(Number(drawn)) ? Number(drawn) : drawn
  if (drawn instanceof Double) return drawn.value
  if (Array.isArray(drawn)) return drawn.map(asRead)
  if (!isDocument(drawn)) return drawn
  return Object.fromEntries(Object.entries(drawn).map(([name, item]) => [name, asRead(item)]))
}
