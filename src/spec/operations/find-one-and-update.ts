import { defineOperation, methodCall } from './operation.ts'
import { arrayFilters, filter, findAndModifyOptions, returnDocument, update, upsert } from './options.ts'

const options = { returnDocument, upsert, arrayFilters, ...findAndModifyOptions }

export const findOneAndUpdate = defineOperation({
  kind: 'findOneAndUpdate',
  summary: 'Update one document, and return it.',
  fields: { filter, update, ...options },
  reply: 'findAndModify',
  documentsPerCall: () => 1,
  compile: (spec, context) => methodCall(spec, ['filter', 'update'], [...Object.keys(options), 'let'], context),
})
