import { defineOperation, methodCall } from './operation.ts'
import { batchSize, expectDocuments, filter, findOptions, wholeNumber } from './options.ts'

const options = {
  ...findOptions,
  limit: wholeNumber(0)
    .optional()
    .describe(
      'Maximum number of documents to return; 0 is no limit. A whole number, or a generator that draws one for every operation. Default: no limit.',
    ),
  batchSize,
}

export const find = defineOperation({
  kind: 'find',
  summary: 'Read all documents that match: the cursor is drained.',
  fields: { filter, expectDocuments, ...options },
  reply: 'cursor',
  documentsPerCall: ({ limit }) => (typeof limit === 'number' && limit > 0 ? limit : undefined),
  compile(spec, context) {
    const build = methodCall(spec, ['filter'], [...Object.keys(options), 'let'], context)
    const { limit } = spec
    // One that is drawn does not bound what a call asks for, so no phase that uses it stops by documents.
    if (typeof limit !== 'number' || limit === 0) return build
    return (drawContext, documents) => {
      const args = build(drawContext, documents)
      // Only the last call of a phase that stops by documents asks for fewer.
      return documents < limit ? { ...args, options: { ...args.options, limit: documents } } : args
    }
  },
})
