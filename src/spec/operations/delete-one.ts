import { defineOperation, methodCall } from './operation.ts'
import { filter, writeOptions } from './options.ts'

export const deleteOne = defineOperation({
  kind: 'deleteOne',
  summary: 'Delete one document.',
  fields: { filter, ...writeOptions },
  reply: 'delete',
  documentsPerCall: () => 1,
  compile: (spec, context) => methodCall(spec, ['filter'], [...Object.keys(writeOptions), 'let'], context),
})
