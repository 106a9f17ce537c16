import { z } from 'zod'
import { defineOperation, methodCall } from './operation.ts'
import { filter, readOptions } from './options.ts'

const options = {
  ...readOptions,
  limit: z.int().min(0).optional().describe('Most documents to return; 0 is no limit. Default: no limit.'),
  batchSize: z
    .int()
    .min(1)
    .optional()
    .describe('Documents per reply of the server. Default: 101 in the first, then 16 MB.'),
}

export const find = defineOperation({
  kind: 'find',
  summary: 'Read all documents that match: the cursor is drained.',
  fields: { filter, ...options },
  positional: { filter: 'document' },
  reply: 'cursor',
  documentsPerCall: ({ limit }) => (limit === undefined || limit === 0 ? undefined : limit),
  compile(spec, context) {
    const build = methodCall(spec, ['filter'], Object.keys(options), context)
    const { limit } = spec
    if (!limit) return build
    return (moment, documents) => {
      const args = build(moment, documents)
      // Only the last call of a phase that stops by documents asks for fewer.
      return documents < limit ? [args[0], { ...(args[1] as object), limit: documents }] : args
    }
  },
})
