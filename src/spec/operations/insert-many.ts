import { z } from 'zod'
import type { Json } from '../../core/json.ts'
import { InvalidPart } from '../../language/issues.ts'
import { value } from '../../language/value-schema.ts'
import { isDocument } from '../../language/values/bson-types.ts'
import { unshared } from '../../language/values/constant.ts'
import type { Draw } from '../../language/values/draw-context.ts'
import { compileInsertedDocuments, insertFields, insertOptions } from './insert-one.ts'
import { type OperationContext, defineOperation, optionsCall } from './operation.ts'
import { ordered } from './options.ts'

const options = { ...insertOptions, ordered }

export const insertMany = defineOperation({
  kind: 'insertMany',
  summary: 'Insert a batch of documents as one operation.',
  fields: {
    ...insertFields,
    documents: value
      .optional()
      .describe(
        'A list of documents instead, at most `documentsPerCall` of them: `@map` and `@array` can vary its length from operation to operation.',
      ),
    documentsPerCall: z
      .int()
      .min(1)
      .max(100_000)
      .describe('Documents per operation, 1 to 100000. (`batchSize` is an option of cursors.)'),
    ...options,
  },
  reply: 'insertMany',
  carriesDocuments: true,
  documentsPerCall: (spec) => spec.documentsPerCall,
  compile(spec, context) {
    const drawBatch =
      spec.documents === undefined
        ? compileBatch(spec, context)
        : compileList(spec.documents, spec.documentsPerCall, context)
    const readOptions = optionsCall(spec, Object.keys(options), context)
    return (drawContext, documents) => {
      const built = readOptions(drawContext)
      drawContext.bytes = 0
      return { documents: drawBatch(drawContext, documents), options: built }
    }
  },
})

type DrawBatch = (...args: [...Parameters<Draw>, documents: number]) => unknown[]

function compileBatch(spec: Parameters<typeof compileInsertedDocuments>[0], context: OperationContext): DrawBatch {
  const document = compileInsertedDocuments(spec, context)
  return (drawContext, documents) => {
    const batch: unknown[] = []
    for (let i = 0; i < documents; i++) {
      // A document that the spec writes out is drawn anew for each place in the batch.
      drawContext.lane = i
      batch.push(document(drawContext))
    }
    drawContext.lane = 0
    return batch
  }
}

/** Documents of a list, none of them shared by calls: the driver writes the `_id` into what it is given. */
function compileList(list: Json, most: number, context: OperationContext): DrawBatch {
  const draw = context.computed(list, 'documents')
  return (drawContext) => {
    // Replies that the list depends on are unknown while the spec is only validated.
    const drawn = draw(drawContext) ?? []
    if (!Array.isArray(drawn) || !drawn.every(isDocument) || drawn.length > most)
      throw new InvalidPart(
        [],
        `"documents" of an insertMany must be a list of at most ${most} documents`,
        'Make the list shorter, or "documentsPerCall" larger.',
      )
    return drawn.map(unshared)
  }
}
