import { defineOperation, methodCall } from './operation.ts'
import { filter, writeOptions } from './options.ts'

export const deleteMany = defineOperation({
  kind: 'deleteMany',
  summary: 'Delete all documents that match.',
  fields: { filter, ...writeOptions },
  reply: 'deleteMany',
  documentsPerCall: () => undefined,
  compile: (spec, context) => methodCall(spec, ['filter'], [...Object.keys(writeOptions), 'let'], context),
})
