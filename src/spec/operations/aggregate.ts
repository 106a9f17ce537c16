import { value } from '../../language/value-schema.ts'
import { defineOperation, methodCall } from './operation.ts'
import { allowDiskUse, batchSize, collation, expectDocuments, hint, maxTimeMS } from './options.ts'

const options = { hint, collation, allowDiskUse, batchSize, maxTimeMS }

export const aggregate = defineOperation({
  kind: 'aggregate',
  summary: 'Run an aggregation pipeline on a collection: the cursor is drained.',
  fields: {
    pipeline: value.describe(
      'A list of stages, under their names in MongoDB. The last may be `$out` or `$merge`, if the spec and the command line allow it: such an operation counts no documents. It follows the read preference of the phase, also to a secondary (5.0 or newer), which forwards the writes to the primary.',
    ),
    exact: value
      .optional()
      .describe(
        'The pipeline that returns the right documents, such as `$vectorSearch` with `exact`, or every distance computed: the column `recall` is the share of them that a call returns. Both run for the first 100 operations after the timed window, with the same values of `let`, for 30 seconds at most; their documents are compared by `_id`. Default: none.',
      ),
    expectDocuments,
    ...options,
  },
  reply: 'cursor',
  documentsPerCall: () => undefined,
  compile: (spec, context) => methodCall(spec, ['pipeline'], [...Object.keys(options), 'let'], context),
})
