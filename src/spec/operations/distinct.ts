import { z } from 'zod'
import { value } from '../../language/value-schema.ts'
import { defineOperation, methodCall } from './operation.ts'
import { collation, filter, maxTimeMS } from './options.ts'

const options = {
  hint: value
    .optional()
    .describe('Index to use: its name or its key. Needs a server of 7.1 or newer. Default: as the server chooses.'),
  collation,
  maxTimeMS,
}

export const distinct = defineOperation({
  kind: 'distinct',
  summary: 'The distinct values of a field.',
  fields: { key: z.string().min(1).describe('The field, or a dotted path to it.'), filter, ...options },
  reply: 'values',
  documentsPerCall: () => undefined,
  compile: (spec, context) => methodCall(spec, ['key', 'filter'], Object.keys(options), context),
})
