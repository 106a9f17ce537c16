import { value } from '../../language/value-schema.ts'
import { defineOperation, methodCall } from './operation.ts'
import { allowDiskUse, batchSize, collation, expectDocuments, hint, maxTimeMS } from './options.ts'

const options = { hint, collation, allowDiskUse, batchSize, maxTimeMS }

export const aggregate = defineOperation({
  kind: 'aggregate',
  summary: 'Run an aggregation pipeline on a collection: the cursor is drained.',
  fields: {
    pipeline: value.describe(
      'A list of stages, under their names in MongoDB. The last may be `$out` or `$merge`, where the spec and the command line allow it: such a call counts no documents, and goes to the members of the read preference of the phase, also to a secondary (5.0 or newer), which has the primary write.',
    ),
    exact: value
      .optional()
      .describe(
        'The pipeline that returns the right documents, such as `$vectorSearch` with `exact`, or every distance computed: the column `recall` is the share of them that a call returns. Both are run for the first 100 calls after the timed window, for 30 seconds at most, and compared by `_id`. What is drawn in `let` is the same for both. Default: none.',
      ),
    expectDocuments,
    ...options,
  },
  reply: 'cursor',
  documentsPerCall: () => undefined,
  compile: (spec, context) => methodCall(spec, ['pipeline'], [...Object.keys(options), 'let'], context),
})
