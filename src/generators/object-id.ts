import { ObjectId } from 'bson'
import { z } from 'zod'
import { mixIn } from '../random.ts'
import { defineGenerator } from './generator.ts'

/** 2024-01-01: a fixed second, so that the same row has the same id in every run. */
const firstSecond = Date.UTC(2024, 0, 1) / 1000
const counterSize = 2 ** 24

/** The generator `@objectId`. */
export const objectId = defineGenerator({
  keyword: '@objectId',
  summary: 'An ObjectId that grows with the row, as those that drivers make grow with time.',
  args: z.strictObject({}),
  example: {},
  compile(_args, context) {
    // Drivers draw these five bytes once per process; here they are drawn once per place in the spec.
    const stream = context.stream().at(0)
    const [upper, lower] = [stream.uint32(), stream.below(256)]
    return ({ n, lane }) => {
      const bytes = Buffer.allocUnsafe(12)
      bytes.writeUInt32BE((firstSecond + Math.floor(n / counterSize)) >>> 0, 0)
      bytes.writeUInt32BE(lane === 0 ? upper : mixIn(upper, lane), 4)
      bytes[8] = lower
      bytes.writeUIntBE(n % counterSize, 9, 3)
      return new ObjectId(bytes)
    }
  },
})
