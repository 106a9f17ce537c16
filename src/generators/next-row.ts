import { z } from 'zod'
import { mixIn } from '../random.ts'
import { byValue } from '../values/bson-types.ts'
import { valueBytes } from '../values/size.ts'
import { defineGenerator } from './generator.ts'

export const nextRow = defineGenerator({
  word: '@nextRow',
  summary:
    'The number of a row that has not been used yet. It is never given out again, also when nothing is inserted. Not for an existing collection, whose rows nobody has counted.',
  args: z.strictObject({
    of: z.string().optional().describe('Collection whose rows are counted. Default: the only one.'),
  }),
  example: {},
  countsItself: true,
  compile({ of }, context) {
    const rows = context.rows(of)
    if (!rows) return () => 0
    if (rows.isExisting)
      context.report(
        `"@nextRow" counts from 0, and which numbers "${rows.collection}" has already is not known: draw new ids with "@objectId" or "@uuid"`,
      )
    const numbers = rows.numbers()
    const first = numbers.next()
    return (moment) => {
      const row = numbers.take(moment.call)
      // Counted from where the phase begins: how long its warm-up was is no part of the digest.
      moment.hash = mixIn(moment.hash, row - first)
      const number = byValue(row)
      moment.bytes += valueBytes(number)
      return number
    }
  },
})
