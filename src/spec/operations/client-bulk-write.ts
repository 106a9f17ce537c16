import { z } from 'zod'
import { bulkCall, bulkFields, documentsPerBulk, listWriteModels } from './bulk-models.ts'
import { defineOperation } from './operation.ts'
import { maxTimeMS, ordered } from './options.ts'

const options = {
  ordered,
  maxTimeMS,
}

const collection = z.string().optional().describe('Collection of this write. Default: the collection of the operation.')

export const clientBulkWrite = defineOperation({
  kind: 'clientBulkWrite',
  summary: 'Make many writes of any kind to any collections as one operation. Needs a server of 8.0 or newer.',
  needsCollection: false,
  needsServer: '8.0',
  fields: { ...bulkFields('Client', { collection }), ...options },
  reply: 'bulkWrite',
  carriesDocuments: true,
  documentsPerCall: documentsPerBulk,
  compile(spec, context) {
    const names = new Set(listWriteModels(spec).map(({ model }) => model.collection))
    const namespaces = new Map([...names].map((name) => [name, context.namespace(name)]))
    // A name that leads nowhere has been reported.
    const nowhere = { database: undefined, collection: '' }
    return bulkCall(
      spec,
      [...Object.keys(options), 'let'],
      context,
      ({ collection: name }) => namespaces.get(name) ?? nowhere,
    )
  },
})
