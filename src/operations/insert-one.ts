import { z } from 'zod'
import { type Json } from '../json.ts'
import { value } from '../language/value-place.ts'
import { defineOperation, type OperationContext, optionsCall } from './operation.ts'
import { bypassDocumentValidation, comment, maxTimeMS } from './options.ts'
import { unshared } from '../values/constant.ts'
import { type Draw, type DrawContext } from '../values/draw-context.ts'
import { keyBytes } from '../values/size.ts'

/** The fields that every insert has. */
export const insertFields = {
  document: value.optional().describe("What to insert. Default: the next row of the collection's data set."),
}

/** The options that every insert takes. */
export const insertOptions = {
  forceServerObjectId: z
    .boolean()
    .optional()
    .describe('Whether the server, not the driver, makes the `_id` of documents without one. Default false.'),
  bypassDocumentValidation,
  comment,
  maxTimeMS,
}

/** An ObjectId with its key, which driver or server add to a document that has no `_id`. */
const addedIdBytes = keyBytes('_id') + 12

/** Documents to insert, each a fresh object: the driver writes the `_id` into what it is given. */
export function documentsOf(
  spec: { readonly document?: Json | undefined },
  context: OperationContext,
): Draw<Record<string, unknown>> {
  const build =
    spec.document === undefined ? context.rows()?.nextDocument : writable(context.value(spec.document, 'document'))
  return (moment) => {
    const document = build?.(moment) ?? {}
    if (document['_id'] === undefined) moment.bytes += addedIdBytes
    return document
  }
}

const writable =
  (draw: Draw) =>
  (moment: DrawContext): Record<string, unknown> =>
    unshared(draw(moment)) as Record<string, unknown>

/** The operation `insertOne`. */
export const insertOne = defineOperation({
  kind: 'insertOne',
  summary: 'Insert one document.',
  fields: { ...insertFields, ...insertOptions },
  reply: 'insert',
  carriesDocuments: true,
  documentsPerCall: () => 1,
  compile(spec, context) {
    const document = documentsOf(spec, context)
    const options = optionsCall(spec, Object.keys(insertOptions), context)
    return (moment) => {
      const built = options(moment)
      moment.bytes = 0
      return { document: document(moment), options: built }
    }
  },
})
