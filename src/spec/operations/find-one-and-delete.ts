import { defineOperation, methodCall } from './operation.ts'
import { filter, findAndModifyOptions } from './options.ts'

export const findOneAndDelete = defineOperation({
  kind: 'findOneAndDelete',
  summary: 'Delete one document, and return it.',
  fields: { filter, ...findAndModifyOptions },
  reply: 'findAndDelete',
  documentsPerCall: () => 1,
  compile: (spec, context) => methodCall(spec, ['filter'], [...Object.keys(findAndModifyOptions), 'let'], context),
})
