import { z } from 'zod'
import { value } from '../value-schema.ts'
import { defineGenerator } from './generator.ts'
import { chooseOwn, compileSignal, digits, drawNoise, ownNumber, roundTo, signalFields, drawUniform } from './signal.ts'

const positive = z.number().min(0)

export const season = defineGenerator({
  keyword: '@season',
  summary: 'A double that rises and falls with the time, such as a temperature over the day: a sine with noise.',
  args: z.strictObject({
    ...signalFields,
    at: value.describe('The time, a date, such as {"@var": "m.at"}.'),
    periodSeconds: z.number().min(0.001).default(86_400).describe('Seconds between two peaks. Default 86400: a day.'),
    mean: ownNumber().prefault(0).describe('Mean, or {min, max}: each series its own. Default 0.'),
    amplitude: ownNumber().prefault(1).describe('Height of a peak above the mean, or {min, max}. Default 1.'),
    shift: positive.max(1).default(0).describe('Part of the period by which series differ, 0 to 1. Default 0.'),
    noise: positive.default(0).describe('Standard deviation of what is added to each value. Default 0.'),
    digits,
  }),
  example: { at: { '@date': {} }, mean: 15, amplitude: 8, noise: 0.5, digits: 1 },
  compile({ at, periodSeconds, mean, amplitude, shift, noise, digits: decimals, ...series }, context) {
    const round = roundTo(decimals)
    const time = context.value(at, 'at').draw
    return compileSignal(series, context, (key, tick, drawContext) => {
      const date = time(drawContext)
      if (!(date instanceof Date)) return context.refuse('"at" must be a date')
      const turns = date.getTime() / (periodSeconds * 1000) + shift * drawUniform(key, -3)
      const wave = chooseOwn(amplitude, key, -2) * Math.sin(2 * Math.PI * (turns - Math.floor(turns)))
      return round(chooseOwn(mean, key, -1) + wave + noise * drawNoise(key, tick))
    })
  },
})
