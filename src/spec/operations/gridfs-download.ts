import { value } from '../../language/value-schema.ts'
import { bucketFields } from './bucket.ts'
import { defineOperation, optionsCall } from './operation.ts'

const options = { id: value.optional().describe('The `_id` of the file. Default: it is found by its name.') }

export const gridfsDownload = defineOperation({
  kind: 'gridfsDownload',
  summary: 'Read a whole file of a GridFS bucket, as a stream.',
  needsCollection: false,
  fields: {
    ...bucketFields,
    filename: value.default(null).describe('Name of the file, as it was stored. Ignored if `id` is set.'),
    ...options,
  },
  reply: 'download',
  documentsPerCall: () => 1,
  compile(spec, context) {
    const filename = context.value(spec.id === undefined ? spec.filename : '', 'filename')
    const readOptions = optionsCall(spec, Object.keys(options), context)
    return (drawContext) => ({ filename: filename(drawContext), options: readOptions(drawContext) })
  },
})
