import { z } from 'zod'
import { compileInsertedDocuments, insertFields, insertOptions } from './insert-one.ts'
import { defineOperation, optionsCall } from './operation.ts'
import { ordered } from './options.ts'

const options = { ...insertOptions, ordered }

/** The operation `insertMany`. */
export const insertMany = defineOperation({
  kind: 'insertMany',
  summary: 'Insert a batch of documents with one call.',
  fields: {
    ...insertFields,
    documentsPerCall: z
      .int()
      .min(1)
      .max(100_000)
      .describe('Documents per call, 1 to 100000. (`batchSize` is the word for cursors.)'),
    ...options,
  },
  reply: 'insertMany',
  carriesDocuments: true,
  documentsPerCall: (spec) => spec.documentsPerCall,
  compile(spec, context) {
    const document = compileInsertedDocuments(spec, context)
    const readOptions = optionsCall(spec, Object.keys(options), context)
    return (drawContext, documents) => {
      const built = readOptions(drawContext)
      drawContext.bytes = 0
      const batch = Array.from({ length: documents }, (_, i) => {
        // A document that the spec writes out is drawn anew for each place in the batch.
        drawContext.lane = i
        return document(drawContext)
      })
      drawContext.lane = 0
      return { documents: batch, options: built }
    }
  },
})
