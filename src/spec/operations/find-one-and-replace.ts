import { defineOperation } from './operation.ts'
import { filter, findAndModifyOptions, replacement, returnDocument, upsert } from './options.ts'
import { replaceCall } from './replace-one.ts'

const options = { returnDocument, upsert, ...findAndModifyOptions }

export const findOneAndReplace = defineOperation({
  kind: 'findOneAndReplace',
  summary: 'Replace one document, and return it.',
  fields: { filter, replacement, ...options },
  reply: 'findAndModify',
  carriesDocuments: true,
  documentsPerCall: () => 1,
  compile: (spec, context) => replaceCall(spec, [...Object.keys(options), 'let'], context),
})
