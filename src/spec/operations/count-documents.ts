import { defineOperation, methodCall } from './operation.ts'
import { allowDiskUse, collation, filter, hint, maxTimeMS, skip, wholeNumber } from './options.ts'

const options = {
  skip,
  limit: wholeNumber(1)
    .optional()
    .describe('Maximum of documents to count: a whole number, or a generator for each operation. Default: no limit.'),
  hint,
  collation,
  allowDiskUse,
  maxTimeMS,
}

export const countDocuments = defineOperation({
  kind: 'countDocuments',
  summary: 'Count the documents that match, one by one.',
  fields: { filter, ...options },
  reply: 'count',
  documentsPerCall: () => undefined,
  compile: (spec, context) => methodCall(spec, ['filter'], [...Object.keys(options), 'let'], context),
})
