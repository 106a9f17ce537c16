import { ObjectId } from 'bson'
import { z } from 'zod'
import { mixIn } from '../../core/random.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { type DrawContext } from '../values/draw-context.ts'
import { hashBytes } from '../values/size-and-hash.ts'
import { defineGenerator } from './generator.ts'

/** 2024-01-01: a fixed second, so that the same row has the same id in every run. */
const firstSecond = Date.UTC(2024, 0, 1) / 1000
const counterSize = 2 ** 24
const idBytes = 12

export const objectId = defineGenerator({
  keyword: '@objectId',
  summary: 'An ObjectId that grows with the row, as ObjectIds of drivers grow with time.',
  args: z.strictObject({}),
  example: {},
  compile(_args, context) {
    // Drivers draw these five bytes once per process; here they are drawn once per place in the spec.
    const stream = context.stream().at(0)
    const [upper, lower] = [stream.uint32(), stream.below(256)]
    const makeBytes = ({ n, lane }: DrawContext, into: Buffer, at: number): void => {
      into.writeUInt32BE((firstSecond + Math.floor(n / counterSize)) >>> 0, at)
      into.writeUInt32BE(lane === 0 ? upper : mixIn(upper, lane), at + 4)
      into[at + 8] = lower
      into.writeUIntBE(n % counterSize, at + 9, 3)
    }
    return {
      draw(drawContext) {
        const bytes = Buffer.allocUnsafe(idBytes)
        makeBytes(drawContext, bytes, 0)
        return new ObjectId(bytes)
      },
      write(drawContext, out) {
        out.reserve(idBytes)
        makeBytes(drawContext, out.bytes, out.at)
        out.at += idBytes
        drawContext.hash = mixIn(drawContext.hash, hashBytes(out.bytes, out.at - idBytes, out.at))
        return bsonType.objectId
      },
    }
  },
})
