import { z } from 'zod'
import { bsonType } from '../bson/types.ts'
import { defineGenerator } from './generator.ts'

const dateBytes = 8

/** The generator `@now`. */
export const now = defineGenerator({
  keyword: '@now',
  summary:
    "The client's time when the call is built, just before it is sent, as a date. Only in operations. It differs from run to run, so it is no part of the digest.",
  args: z.strictObject({}),
  example: {},
  // The digest holds only what is the same in every run.
  countsItself: true,
  compile(_args, { call, report }) {
    if (call === undefined) {
      report('"@now" works only in operations: a row is the same in every run; draw a time with "@date"')
      return () => null
    }
    return {
      draw(drawContext) {
        drawContext.bytes += dateBytes
        return call.now()
      },
      write(_drawContext, out) {
        out.wholeInt64(call.now().getTime())
        return bsonType.date
      },
    }
  },
})
