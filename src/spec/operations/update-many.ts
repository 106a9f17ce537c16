import { defineOperation, methodCall } from './operation.ts'
import { arrayFilters, filter, update, upsert, writeOptions } from './options.ts'

const options = { upsert, arrayFilters, ...writeOptions }

export const updateMany = defineOperation({
  kind: 'updateMany',
  summary: 'Update all documents that match.',
  fields: { filter, update, ...options },
  reply: 'update',
  documentsPerCall: () => undefined,
  compile: (spec, context) => methodCall(spec, ['filter', 'update'], [...Object.keys(options), 'let'], context),
})
