import { defineOperation, methodCall } from './operation.ts'
import { filter, readOptions } from './options.ts'

export const findOne = defineOperation({
  kind: 'findOne',
  summary: 'Read one document.',
  fields: { filter, ...readOptions },
  positional: { filter: 'document' },
  reply: 'document',
  documentsPerCall: () => 1,
  compile: (spec, context) => methodCall(spec, ['filter'], Object.keys(readOptions), context),
})
