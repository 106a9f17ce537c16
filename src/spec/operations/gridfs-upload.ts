import { z } from 'zod'
import { value } from '../../language/value-schema.ts'
import { bucketFields } from './bucket.ts'
import { fileContent } from './file-content.ts'
import { defineOperation, optionsCall } from './operation.ts'

/** The driver's own. */
const defaultChunkBytes = 255 * 1024

const options = {
  id: value.optional().describe('The `_id` of the file. Default: an ObjectId that the driver makes.'),
  chunkSizeBytes: z
    .int()
    .min(1)
    .max(16_000_000)
    .optional()
    .describe('Size of a chunk in bytes. Default 261120 (255 KB).'),
}

export const gridfsUpload = defineOperation({
  kind: 'gridfsUpload',
  summary: 'Store a file of random bytes in a GridFS bucket: a stream, chunk by chunk.',
  needsCollection: false,
  fields: {
    ...bucketFields,
    filename: value.describe(
      'Name of the file. With `@nextRow` in it, every file has its own name, which `@pickRow` finds in a later phase.',
    ),
    sizeKB: value.describe('Size of the file in KB (1024 bytes), 0 to 16777216.'),
    ...options,
  },
  reply: 'upload',
  carriesDocuments: true,
  documentsPerCall: () => 1,
  compile(spec, context) {
    const filename = context.value(spec.filename, 'filename')
    const readOptions = optionsCall(spec, Object.keys(options), context)
    const content = fileContent(spec.sizeKB, spec.chunkSizeBytes ?? defaultChunkBytes, context)
    return (drawContext) => {
      const name = filename(drawContext)
      const given = readOptions(drawContext)
      return { filename: name, content: content(drawContext), options: given }
    }
  },
})
