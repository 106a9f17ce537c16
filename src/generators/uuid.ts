import { UUID } from 'bson'
import { z } from 'zod'
import { defineGenerator } from './generator.ts'

/** The generator `@uuid`. */
export const uuid = defineGenerator({
  keyword: '@uuid',
  summary: 'A random UUID (version 4), sent as binary of subtype 4.',
  args: z.strictObject({}),
  example: {},
  compile(_args, context) {
    const stream = context.stream()
    return (drawContext) => {
      stream.at(drawContext.n, drawContext.lane)
      const bytes = Buffer.allocUnsafe(16)
      for (let word = 0; word < 4; word++) bytes.writeUInt32LE(stream.uint32(), word * 4)
      // Version and variant bits of RFC 9562, section 5.4.
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
      return new UUID(bytes)
    }
  },
})
