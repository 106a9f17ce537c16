import { z } from 'zod'
import { mixIn } from '../../core/random.ts'
import { byValue } from '../values/bson-types.ts'
import { valueBytes } from '../values/size-and-hash.ts'
import { defineGenerator } from './generator.ts'

export const nextRow = defineGenerator({
  keyword: '@nextRow',
  summary:
    'The number of a row that has not been used yet. It is never used again, even if nothing is inserted. Not for an existing collection without a `document`, because its rows have no known numbers.',
  args: z.strictObject({
    of: z.string().optional().describe('Collection whose rows are counted. Default: the only one.'),
  }),
  example: {},
  countsItself: true,
  compile({ of }, context) {
    const rows = context.rows(of)
    if (!rows) return () => 0
    if (rows.isUnknown)
      context.report(
        `"@nextRow" counts from 0, and "${rows.collection}" may already have these numbers: draw new ids with "@objectId" or "@uuid"`,
      )
    const numbers = rows.numbers()
    const first = numbers.next()
    return (drawContext) => {
      const row = numbers.take(drawContext.call)
      // Counted from the start of the phase: the length of its warm-up is no part of the digest.
      drawContext.hash = mixIn(drawContext.hash, row - first)
      const number = byValue(row)
      drawContext.bytes += valueBytes(number)
      return number
    }
  },
})
