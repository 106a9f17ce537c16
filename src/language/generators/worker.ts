import { z } from 'zod'
import { byValue } from '../values/bson-types.ts'
import { defineGenerator } from './generator.ts'

export const worker = defineGenerator({
  keyword: '@worker',
  summary:
    'The number of a worker, from 0, to give each worker its own range: the number of the operation modulo the workers of the phase. Only in operations. Any free worker sends the operation, so two operations with the same number may be in flight at once, and every run sends the same operations.',
  args: z.strictObject({}),
  example: {},
  compile(_args, { call, report }) {
    if (call === undefined) {
      report('"@worker" works only in operations: rows are loaded before there are workers')
      return () => null
    }
    return (drawContext) => byValue(drawContext.n % call.workers)
  },
})
