import { z } from 'zod'
import { type Json } from '../../core/json.ts'
import { value } from '../../language/value-schema.ts'
import { type Draw } from '../../language/values/draw-context.ts'
import { EncodedValue } from '../../protocol/bson/encoded.ts'
import { addedIdBytes, hasId, withId } from './added-id.ts'
import { defineOperation, type OperationContext, optionsCall } from './operation.ts'
import { maxTimeMS } from './options.ts'

export const insertFields = {
  document: value.optional().describe("What to insert. Default: the next row of the collection's data set."),
}

export const insertOptions = {
  forceServerObjectId: z
    .boolean()
    .optional()
    .describe('Whether the server, not the driver, makes the `_id` of documents without one. Default false.'),
  maxTimeMS,
}

/**
 * Documents to insert, each a fresh object: the driver writes the `_id` into what it is given. One that is encoded gets its
 * `_id` here, as engines send it where it stands.
 */
export function compileInsertedDocuments(
  spec: { readonly document?: Json | undefined; readonly forceServerObjectId?: boolean | undefined },
  context: OperationContext,
): Draw {
  const build = spec.document === undefined ? context.rows()?.nextDocument : context.document(spec.document, 'document')
  return (drawContext) => {
    const document = build?.(drawContext) ?? {}
    const isSentHere = document instanceof EncodedValue && !spec.forceServerObjectId
    const sent = isSentHere ? withId(document) : document
    if (sent !== document || (!isSentHere && !hasId(document))) drawContext.bytes += addedIdBytes
    return sent
  }
}

export const insertOne = defineOperation({
  kind: 'insertOne',
  summary: 'Insert one document.',
  fields: { ...insertFields, ...insertOptions },
  reply: 'insert',
  carriesDocuments: true,
  documentsPerCall: () => 1,
  compile(spec, context) {
    const document = compileInsertedDocuments(spec, context)
    const options = optionsCall(spec, Object.keys(insertOptions), context)
    return (drawContext) => {
      const built = options(drawContext)
      drawContext.bytes = 0
      return { document: document(drawContext), options: built }
    }
  },
})
