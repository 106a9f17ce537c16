import { z } from 'zod'
import { bsonType } from '../../protocol/bson/types.ts'
import { defineGenerator } from './generator.ts'

const dateBytes = 8

const maxOffsetMs = 100 * 366 * 24 * 3_600_000

export const now = defineGenerator({
  keyword: '@now',
  summary:
    "The client's time when the operation is built, just before it is sent, as a date. Only in operations. It differs from run to run, so it is not part of the digest.",
  args: z.strictObject({
    offsetMs: z
      .int()
      .min(-maxOffsetMs)
      .max(maxOffsetMs)
      .default(0)
      .describe('Milliseconds to add, at most a hundred years. Default 0.'),
  }),
  example: {},
  // The digest holds only what is the same in every run.
  countsItself: true,
  compile({ offsetMs }, { call, report }) {
    if (call === undefined) {
      report('"@now" works only in operations: a row is the same in every run; draw a time with "@date"')
      return () => null
    }
    return {
      draw(drawContext) {
        drawContext.bytes += dateBytes
        return offsetMs === 0 ? call.now() : new Date(call.now().getTime() + offsetMs)
      },
      write(_drawContext, out) {
        out.wholeInt64(call.now().getTime() + offsetMs)
        return bsonType.date
      },
    }
  },
})
