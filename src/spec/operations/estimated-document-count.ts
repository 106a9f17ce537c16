import { defineOperation, methodCall } from './operation.ts'
import { comment, maxTimeMS } from './options.ts'

const options = { comment, maxTimeMS }

/** The operation `estimatedDocumentCount`. */
export const estimatedDocumentCount = defineOperation({
  kind: 'estimatedDocumentCount',
  summary: 'The number of documents, from collection metadata.',
  fields: options,
  reply: 'count',
  documentsPerCall: () => undefined,
  compile: (spec, context) => methodCall(spec, [], Object.keys(options), context),
})
