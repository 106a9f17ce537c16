import { z } from 'zod'
import { defineOperation, methodCall } from './operation.ts'
import { allowDiskUse, collation, comment, filter, hint, maxTimeMS, skip } from './options.ts'

const options = {
  skip,
  limit: z.int().min(1).optional().describe('Most documents to count. Default: no limit.'),
  hint,
  collation,
  allowDiskUse,
  comment,
  maxTimeMS,
}

export const countDocuments = defineOperation({
  kind: 'countDocuments',
  summary: 'Count the documents that match, one by one.',
  fields: { filter, ...options },
  positional: { filter: 'document' },
  reply: 'count',
  documentsPerCall: () => undefined,
  compile: (spec, context) => methodCall(spec, ['filter'], [...Object.keys(options), 'let'], context),
})
