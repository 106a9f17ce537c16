import { z } from 'zod'
import { byValue } from '../values/bson-types.ts'
import { defineGenerator } from './generator.ts'
import { chooseOwn, compileSignal, ownNumber, signalFields, drawUniform } from './signal.ts'

export const counter = defineGenerator({
  keyword: '@counter',
  summary: 'A whole number that never falls within its series, such as bytes sent or a meter reading.',
  args: z.strictObject({
    ...signalFields,
    start: ownNumber().prefault(0).describe('First value, about, or {min, max}: each series its own. Default 0.'),
    step: ownNumber(z.number().min(0))
      .prefault(1)
      .describe('Mean rise to the next value, or {min, max}; a rise is at most twice as high. Default 1.'),
    resetEvery: z.int().min(1).optional().describe('Number of values after which it restarts. Default: never.'),
  }),
  example: { step: 100, resetEvery: 1000 },
  compile: ({ start, step, resetEvery = Infinity, ...series }, context) =>
    compileSignal(series, context, (key, tick) => {
      const since = tick % resetEvery
      return byValue(
        Math.floor(chooseOwn(start, key, -1) + chooseOwn(step, key, -2) * (since + drawUniform(key, tick))),
      )
    }),
})
