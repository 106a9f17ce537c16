import { Binary } from 'bson'
import { z } from 'zod'
import { mixIn } from '../../core/random.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { hashBytes } from '../values/size-and-hash.ts'
import { defineGenerator } from './generator.ts'
import { compileLength, lengthUpTo } from './length.ts'

const wordBytes = 4

const longest = 16_000_000

export const binary = defineGenerator({
  keyword: '@binary',
  summary: 'Random bytes, sent as binary of subtype 0; they cannot be compressed.',
  args: z.strictObject({
    size: lengthUpTo(longest).prefault(16).describe('Number of bytes, or {"min", "max"}, both included. Default 16.'),
  }),
  example: { size: 8 },
  drawable: { size: 0 },
  compile({ size }, context) {
    const stream = context.stream()
    const drawSize = compileLength(size, stream, context, { name: 'size', most: longest })
    /** Whole words, so up to three bytes too many. */
    const drawBytes = (into: Buffer, from: number, length: number): void => {
      for (let at = 0; at < length; at += wordBytes) into.writeUInt32LE(stream.uint32(), from + at)
    }
    return {
      draw(drawContext) {
        const length = drawSize(drawContext)
        const bytes = Buffer.allocUnsafe(length + wordBytes)
        drawBytes(bytes, 0, length)
        return new Binary(bytes.subarray(0, length))
      },
      write(drawContext, out) {
        const length = drawSize(drawContext)
        out.int32(length)
        out.byte(Binary.SUBTYPE_DEFAULT)
        out.reserve(length + wordBytes)
        drawBytes(out.bytes, out.at, length)
        out.at += length
        drawContext.hash = mixIn(drawContext.hash, hashBytes(out.bytes, out.at - length, out.at))
        return bsonType.binary
      },
    }
  },
})
