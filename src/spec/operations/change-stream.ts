import { z } from 'zod'
import { value } from '../../language/value-schema.ts'
import { operationName } from './operation.ts'
import { comment } from './options.ts'

/** Under MongoDB's names. */
export const changeStreamOptions = {
  fullDocument: z
    .enum(['default', 'updateLookup', 'whenAvailable', 'required'])
    .optional()
    .describe('Whether events of updates carry the whole document. Default: they carry what was changed.'),
  fullDocumentBeforeChange: z
    .enum(['off', 'whenAvailable', 'required'])
    .optional()
    .describe(
      'Whether events carry the document as it was before; the collection must keep pre-images. Default: they do not.',
    ),
  batchSize: z.int().min(1).optional().describe('Maximum number of events per reply. Default: as many as fit.'),
  maxAwaitTimeMS: z
    .int()
    .min(1)
    .optional()
    .describe('How long the server waits for an event before it answers with none, in milliseconds. Default 1000.'),
  showExpandedEvents: z
    .boolean()
    .optional()
    .describe('Whether there are events also of indexes and collections that are made or changed. Default false.'),
  comment,
}

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
    since: z
      .string()
      .optional()
      .describe(
        'An earlier phase: events from its beginning on are read too, which shows how fast a stream catches up. Default: events of this phase.',
      ),
    ...changeStreamOptions,
  })
  .meta({ title: 'ChangeStreamOperation' })
  .describe(
    'Watches a collection while the other operations of its phase write: events seen, and the lag from write to event. Needs a replica set.',
  )

export type ChangeStreamSpec = z.output<typeof changeStreamSpec>
