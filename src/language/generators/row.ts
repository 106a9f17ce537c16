import { z } from 'zod'
import { byValue } from '../values/bson-types.ts'
import { defineGenerator } from './generator.ts'

export const row = defineGenerator({
  keyword: '@row',
  summary: "This row's number, from 0. Only in the documents of data sets.",
  args: z.strictObject({}),
  example: {},
  compile(_args, context) {
    if (!context.inRow)
      context.report(
        '"@row" works only in the documents of data sets: an operation has no row; draw one with "@key" or "@pickRow"',
      )
    return (drawContext) => byValue(drawContext.n)
  },
})
