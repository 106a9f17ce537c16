import { defineOperation, methodCall } from './operation.ts'
import { maxTimeMS } from './options.ts'

const options = { maxTimeMS }

export const estimatedDocumentCount = defineOperation({
  kind: 'estimatedDocumentCount',
  summary: 'The number of documents, from collection metadata.',
  fields: options,
  reply: 'count',
  documentsPerCall: () => undefined,
  compile: (spec, context) => methodCall(spec, [], Object.keys(options), context),
})
