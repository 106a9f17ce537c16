import { bulkFields, documentsPerBulk, writesOf } from './bulk-models.ts'
import { insertOptions } from './insert-one.ts'
import { defineOperation, optionsCall } from './operation.ts'
import { ordered } from './options.ts'

const options = { ...insertOptions, ordered }

export const bulkWrite = defineOperation({
  kind: 'bulkWrite',
  summary: 'Make many writes of any kind to a collection with one call.',
  fields: { ...bulkFields({}), ...options },
  reply: 'bulkWrite',
  carriesDocuments: true,
  documentsPerCall: documentsPerBulk,
  compile(spec, context) {
    const writes = writesOf(spec, context)
    const readOptions = optionsCall(spec, [...Object.keys(options), 'let'], context)
    return (moment, documents) => {
      const built = readOptions(moment)
      moment.bytes = 0
      return { writes: writes(moment, documents), options: built }
    }
  },
})
