import { z } from 'zod'
import { value } from '../spec/value-place.ts'
import { defineOperation, methodCall } from './operation.ts'
import { bypassDocumentValidation, filter, sort, writeOptions } from './options.ts'

const options = {
  upsert: z.boolean().optional().describe('Whether a document is inserted when none matches. Default false.'),
  arrayFilters: z.array(value).optional().describe('Which elements of arrays the update changes.'),
  sort,
  bypassDocumentValidation,
  ...writeOptions,
}

export const updateOne = defineOperation({
  kind: 'updateOne',
  summary: 'Change one document.',
  fields: { filter, update: value.describe('Update operators, or a pipeline.'), ...options },
  positional: { filter: 'document', update: 'update' },
  reply: 'update',
  documentsPerCall: () => 1,
  compile: (spec, context) => methodCall(spec, ['filter', 'update'], Object.keys(options), context),
})
