import { z } from 'zod'
import { defineGenerator } from './generator.ts'
import { drawField } from './key.ts'
import { pickedOrGiven, rowFields } from './pick-row.ts'
import { path } from './sample.ts'

const { of: _, ...picked } = rowFields

export const ref = defineGenerator({
  keyword: '@ref',
  summary:
    'The `_id` of a document of a made-up collection, or another field of it, so the value exists there. In documents of data sets and in operations; computed from the seed, without asking the server.',
  args: z
    .strictObject({
      collection: z
        .string()
        .min(1)
        .describe('Collection of "data" whose documents are referred to. It may be the own one.'),
      field: path.default('_id').describe('Dotted path of the field. Default "_id".'),
      ...picked,
    })
    .refine(...pickedOrGiven),
  example: { collection: 'customers', distribution: 'zipfian' },
  countsItself: true,
  compile: ({ collection, field, ...given }, context) => drawField(field, { of: collection, ...given }, context),
})
