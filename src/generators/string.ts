import { z } from 'zod'
import { defineGenerator } from './generator.ts'
import { drawLength, lengthUpTo } from './length.ts'

export const string = defineGenerator({
  word: '@string',
  summary: 'A text of random letters.',
  args: z.strictObject({
    length: lengthUpTo(16_000_000)
      .prefault(16)
      .describe('Number of letters, or {"min", "max"}, both included. Default 16.'),
    alphabet: z
      .string()
      .min(1)
      .default('abcdefghijklmnopqrstuvwxyz')
      .describe('Letters to draw from, each equally often. Default a to z.'),
  }),
  example: { length: 8 },
  compile({ length, alphabet }, context) {
    const stream = context.stream()
    const letters = [...alphabet]
    return (moment) => {
      stream.at(moment.n, moment.lane)
      let text = ''
      for (let left = drawLength(length, stream); left > 0; left--) text += letters[stream.below(letters.length)]
      return text
    }
  },
})
