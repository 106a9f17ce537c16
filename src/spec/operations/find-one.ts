import { defineOperation, methodCall } from './operation.ts'
import { expectDocuments, filter, findOptions } from './options.ts'

export const findOne = defineOperation({
  kind: 'findOne',
  summary: 'Read one document.',
  fields: { filter, expectDocuments, ...findOptions },
  reply: 'document',
  documentsPerCall: () => 1,
  compile: (spec, context) => methodCall(spec, ['filter'], [...Object.keys(findOptions), 'let'], context),
})
