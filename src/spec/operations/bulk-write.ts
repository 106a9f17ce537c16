import { bulkCall, bulkFields, documentsPerBulk } from './bulk-models.ts'
import { insertOptions } from './insert-one.ts'
import { defineOperation } from './operation.ts'
import { ordered } from './options.ts'

const options = { ...insertOptions, ordered }

export const bulkWrite = defineOperation({
  kind: 'bulkWrite',
  summary: 'Make many writes of any kind to a collection as one operation.',
  fields: { ...bulkFields('', {}), ...options },
  reply: 'bulkWrite',
  carriesDocuments: true,
  documentsPerCall: documentsPerBulk,
  compile: (spec, context) => bulkCall(spec, [...Object.keys(options), 'let'], context),
})
