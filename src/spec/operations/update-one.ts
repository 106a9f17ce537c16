import { defineOperation, methodCall } from './operation.ts'
import { arrayFilters, filter, firstInOrder, update, upsert, writeOptions } from './options.ts'

const options = { upsert, arrayFilters, sort: firstInOrder, ...writeOptions }

export const updateOne = defineOperation({
  kind: 'updateOne',
  summary: 'Update one document.',
  fields: { filter, update, ...options },
  reply: 'update',
  documentsPerCall: () => 1,
  compile: (spec, context) => methodCall(spec, ['filter', 'update'], [...Object.keys(options), 'let'], context),
})
