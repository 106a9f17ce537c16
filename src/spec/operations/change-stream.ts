import { z } from 'zod'
import { value } from '../../language/value-schema.ts'
import { operationName } from './operation.ts'

/** The driver drops others without a word. */
const streamOption = z
  .string()
  .regex(
    /^(fullDocument|fullDocumentBeforeChange|showExpandedEvents|batchSize|collation|comment)$/,
    'is not an option of a change stream here',
  )

/** No operation: it is not drawn, has no weight and makes no calls. It watches while the operations of its phase write. */
export const changeStreamSpec = z
  .strictObject({
    kind: z.literal('changeStream'),
    name: operationName.describe('Name in the result, unique in its phase. Default: the kind.'),
    collection: z.string().optional().describe('Collection to watch. Default: the only one.'),
    pipeline: z
      .array(value)
      .max(100)
      .default([])
      .describe('Stages that the server passes each event through. Default: none, every event comes.'),
    options: z
      .record(streamOption, value)
      .default({})
      .describe(
        'Options of the stream, under the names of the driver; the server checks their values: `{"fullDocument": "updateLookup", "batchSize": 100}`. Default: none. See https://www.mongodb.com/docs/manual/reference/operator/aggregation/changeStream/',
      ),
  })
  .meta({ title: 'ChangeStreamOperation' })
  .describe(
    'Watches a collection while the other operations of its phase write: events seen, and the lag from write to event. Needs a replica set.',
  )

export type ChangeStreamSpec = z.output<typeof changeStreamSpec>
