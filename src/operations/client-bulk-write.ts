import { z } from 'zod'
import { bulkFields, documentsPerBulk, modelsOf, writesOf } from './bulk-models.ts'
import { defineOperation, optionsCall } from './operation.ts'
import { bypassDocumentValidation, comment, maxTimeMS, ordered } from './options.ts'

const options = {
  ordered,
  verboseResults: z
    .boolean()
    .optional()
    .describe('Whether the server tells of every write what became of it. Default: of failed ones only.'),
  bypassDocumentValidation,
  comment,
  maxTimeMS,
}

const collection = z.string().optional().describe('Collection of this write. Default: that of the operation.')

export const clientBulkWrite = defineOperation({
  kind: 'clientBulkWrite',
  summary: 'Make many writes of any kind to any collections with one call. Needs a server of 8.0 or newer.',
  needsCollection: false,
  needsServer: '8.0',
  fields: { ...bulkFields({ collection }), ...options },
  reply: 'bulkWrite',
  carriesDocuments: true,
  documentsPerCall: documentsPerBulk,
  compile(spec, context) {
    const names = new Set(modelsOf(spec).map(({ model }) => model.collection))
    const namespaces = new Map([...names].map((name) => [name, context.namespace(name)]))
    // A name that leads nowhere has been reported.
    const nowhere = { database: undefined, collection: '' }
    const writes = writesOf(spec, context, (model) => namespaces.get(model.collection) ?? nowhere)
    const readOptions = optionsCall(spec, [...Object.keys(options), 'let'], context)
    return (moment, documents) => {
      const built = readOptions(moment)
      moment.bytes = 0
      return { writes: writes(moment, documents), options: built }
    }
  },
})
