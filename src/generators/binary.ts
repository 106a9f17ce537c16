import { Binary } from 'bson'
import { z } from 'zod'
import { defineGenerator } from './generator.ts'
import { drawLength, lengthUpTo } from './length.ts'

const wordBytes = 4

/** The generator `@binary`. */
export const binary = defineGenerator({
  keyword: '@binary',
  summary: 'Random bytes, sent as binary of subtype 0; they cannot be compressed.',
  args: z.strictObject({
    size: lengthUpTo(16_000_000)
      .prefault(16)
      .describe('Number of bytes, or {"min", "max"}, both included. Default 16.'),
  }),
  example: { size: 8 },
  compile({ size }, context) {
    const stream = context.stream()
    return (drawContext) => {
      stream.at(drawContext.n, drawContext.lane)
      const length = drawLength(size, stream)
      const bytes = Buffer.allocUnsafe(Math.ceil(length / wordBytes) * wordBytes)
      for (let at = 0; at < length; at += wordBytes) bytes.writeUInt32LE(stream.uint32(), at)
      return new Binary(bytes.subarray(0, length))
    }
  },
})
