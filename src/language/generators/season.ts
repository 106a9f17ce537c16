import { z } from 'zod'
import { value } from '../value-schema.ts'
import { asDouble } from '../values/bson-types.ts'
import { defineGenerator } from './generator.ts'
import {
  chooseOwn,
  compileSignal,
  createRounding,
  digits,
  noiseOf,
  ownNumber,
  signalFields,
  uniformOf,
} from './signal.ts'

/** The generator `@season`. */
export const season = defineGenerator({
  keyword: '@season',
  summary: 'A double that rises and falls with the time, such as a temperature over the day: a sine with noise.',
  args: z.strictObject({
    ...signalFields,
    at: value.describe('The time, a date, such as {"@var": "m.at"}.'),
    periodSeconds: z
      .number()
      .min(0.001)
      .default(86_400)
      .describe('Seconds from one peak to the next. Default 86400: a day.'),
    mean: ownNumber.prefault(0).describe('Mean, or {min, max}: each series its own. Default 0.'),
    amplitude: ownNumber.prefault(1).describe('Height of a peak above the mean, or {min, max}. Default 1.'),
    shift: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe('By which part of the period the peaks of the series differ, 0 to 1. Default 0: they peak together.'),
    noise: z.number().min(0).default(0).describe('Standard deviation of what is added to each value. Default 0.'),
    digits,
  }),
  example: { at: { '@date': {} }, mean: 15, amplitude: 8, noise: 0.5, digits: 1 },
  compile({ at, periodSeconds, mean, amplitude, shift, noise, digits: decimals, ...series }, context) {
    const read = compileSignal(series, context)
    const time = context.value(at, 'at').draw
    const round = createRounding(decimals)
    return (drawContext) => {
      const { key, tick } = read(drawContext)
      const { bytes } = drawContext
      const date = time(drawContext)
      if (!(date instanceof Date)) return context.refuse('"at" must be a date')
      drawContext.bytes = bytes
      const turns = date.getTime() / (periodSeconds * 1000) + (shift === 0 ? 0 : shift * uniformOf(key, -3))
      const wave = Math.sin(2 * Math.PI * (turns - Math.floor(turns)))
      const level = chooseOwn(mean, key, 1) + chooseOwn(amplitude, key, 2) * wave
      return asDouble(round(noise === 0 ? level : level + noise * noiseOf(key, tick)))
    }
  },
})
