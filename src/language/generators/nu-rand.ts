import { z } from 'zod'
import { defineGenerator } from './generator.ts'

const whole = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)

export const nuRand = defineGenerator({
  keyword: '@nuRand',
  summary: 'A whole number of the range, some far more often than others: NURand of TPC-C (clause 2.1.6).',
  args: z
    .strictObject({
      a: whole.describe('Constant A: 255 for last names, 1023 for customers, 8191 for items.'),
      min: whole.default(0).describe('Minimum, inclusive. Default 0.'),
      max: whole.describe('Maximum, inclusive.'),
      c: whole.default(0).describe('Constant C: moves the frequent numbers to another place. Default 0.'),
    })
    .refine(({ min, max }) => min <= max, '"min" is above "max"'),
  example: { a: 255, max: 999, c: 123 },
  compile({ a, min, max, c }, context) {
    const stream = context.stream()
    const span = max - min + 1
    return ({ n, lane }) => {
      const bits = stream.at(n, lane).below(a + 1)
      return (((bits | (min + stream.below(span))) + c) % span) + min
    }
  },
})
