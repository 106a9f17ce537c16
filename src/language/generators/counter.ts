import { z } from 'zod'
import { byValue } from '../values/bson-types.ts'
import { defineGenerator } from './generator.ts'
import { chooseOwn, compileSignal, ownNumber, signalFields, uniformOf } from './signal.ts'

/** The generator `@counter`. */
export const counter = defineGenerator({
  keyword: '@counter',
  summary: 'A whole number that never falls within its series, such as bytes sent or a meter reading.',
  args: z.strictObject({
    ...signalFields,
    start: ownNumber.prefault(0).describe('First value, about, or {min, max}: each series its own. Default 0.'),
    step: ownNumber
      .prefault(1)
      .describe(
        'Mean rise from one value to the next, or {min, max}: each series its own. Rises are 0 to twice of it. Default 1.',
      ),
    resetEvery: z
      .int()
      .min(1)
      .optional()
      .describe('Values after which it starts anew, as after a restart. Default: never.'),
  }),
  example: { step: 100, resetEvery: 1000 },
  compile({ start, step, resetEvery = Infinity, ...series }, context) {
    const read = compileSignal(series, context)
    return (drawContext) => {
      const { key, tick } = read(drawContext)
      const since = resetEvery === Infinity ? tick : (tick + Math.floor(uniformOf(key, -3) * resetEvery)) % resetEvery
      const rise = chooseOwn(step, key, 2) * (since + uniformOf(key, tick))
      return byValue(Math.floor(chooseOwn(start, key, 1) + rise))
    }
  },
})
