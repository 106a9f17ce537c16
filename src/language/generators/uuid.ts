import { Binary, UUID } from 'bson'
import { z } from 'zod'
import { mixIn } from '../../core/random.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { type DrawContext } from '../values/draw-context.ts'
import { hashBytes } from '../values/size-and-hash.ts'
import { defineGenerator } from './generator.ts'

const uuidBytes = 16

export const uuid = defineGenerator({
  keyword: '@uuid',
  summary: 'A random UUID (version 4), sent as binary of subtype 4.',
  args: z.strictObject({}),
  example: {},
  compile(_args, context) {
    const stream = context.stream()
    const drawBytes = ({ n, lane }: DrawContext, into: Buffer, at: number): void => {
      stream.at(n, lane)
      for (let word = 0; word < 4; word++) into.writeUInt32LE(stream.uint32(), at + word * 4)
      // Version and variant bits of RFC 9562, section 5.4.
      into[at + 6] = ((into[at + 6] ?? 0) & 0x0f) | 0x40
      into[at + 8] = ((into[at + 8] ?? 0) & 0x3f) | 0x80
    }
    return {
      draw(drawContext) {
        const bytes = Buffer.allocUnsafe(uuidBytes)
        drawBytes(drawContext, bytes, 0)
        return new UUID(bytes)
      },
      write(drawContext, out) {
        out.int32(uuidBytes)
        out.byte(Binary.SUBTYPE_UUID)
        out.reserve(uuidBytes)
        drawBytes(drawContext, out.bytes, out.at)
        out.at += uuidBytes
        drawContext.hash = mixIn(drawContext.hash, hashBytes(out.bytes, out.at - uuidBytes, out.at))
        return bsonType.binary
      },
    }
  },
})
