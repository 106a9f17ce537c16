import { z } from 'zod'
import { defineGenerator } from './generator.ts'

const length = z.int().min(0).max(16_000_000)
const lengths = z.union([
  length.transform((n) => ({ min: n, max: n })),
  z.strictObject({ min: length, max: length }).refine(({ min, max }) => min <= max, '"min" is above "max"'),
])

export const string = defineGenerator({
  word: '@string',
  summary: 'A text of random letters.',
  args: z.strictObject({
    length: lengths.prefault(16).describe('Number of letters, or {"min", "max"}, both included. Default 16.'),
    alphabet: z
      .string()
      .min(1)
      .default('abcdefghijklmnopqrstuvwxyz')
      .describe('Letters to draw from, each equally often. Default a to z.'),
  }),
  example: { length: 8 },
  compile({ length: { min, max }, alphabet }, context) {
    const stream = context.stream()
    const letters = [...alphabet]
    const span = max - min + 1
    return (moment) => {
      stream.at(moment.n, moment.lane)
      let text = ''
      for (let left = min + (span > 1 ? stream.below(span) : 0); left > 0; left--)
        text += letters[stream.below(letters.length)]
      return text
    }
  },
})
