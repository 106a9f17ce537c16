import { z } from 'zod'
import { isObject } from '../../core/json.ts'
import { value } from '../../language/value-schema.ts'
import { collation } from '../operations/options.ts'
import { timeseries } from './time-series-schema.ts'

const clusteredIndex = z
  .strictObject({
    key: z.strictObject({ _id: z.literal(1).describe('Ascending.') }).describe('The key: {"_id": 1}.'),
    unique: z.literal(true).describe('True: the server requires it.'),
    name: z.string().min(1).optional().describe('Name. Default: "_id_".'),
  })
  .meta({ title: 'ClusteredIndex' })
  .describe('Stores the documents in the order of their `_id`, without an index of it. MongoDB 5.3 or newer.')

const configString = z.string().optional().describe('Settings of its files, such as "block_compressor=zstd".')

const storageEngine = z
  .record(z.string(), z.strictObject({ configString }).meta({ title: 'StorageEngineOptions' }))
  .describe('Options by storage engine: {"wiredTiger": {"configString": "block_compressor=zstd"}}.')

const age = z.int().min(0).max(2_147_483_647)

const fields = z.strictObject({
  capped: z.boolean().optional().describe('Whether the collection has a fixed size.'),
  size: z.int().min(1).optional().describe('Size of a capped collection, in bytes.'),
  max: z.int().min(1).optional().describe('Maximum number of documents of a capped collection.'),
  timeseries: timeseries.optional(),
  clusteredIndex: clusteredIndex.optional(),
  expireAfterSeconds: age
    .optional()
    .describe('Age at which the server deletes measurements, or what is clustered by a date. MongoDB 5.0 or newer.'),
  changeStreamPreAndPostImages: z
    .strictObject({ enabled: z.boolean().describe('Whether the images are kept.') })
    .meta({ title: 'ChangeStreamImages' })
    .optional()
    .describe('Images of documents before and after a change, for change streams. MongoDB 6.0 or newer.'),
  validator: value.optional().describe('What the server checks in every write.'),
  validationLevel: z
    .enum(['off', 'strict', 'moderate'])
    .optional()
    .describe(
      'Which writes are checked: none, all, or those to documents that were valid before. Default: the server\'s, "strict".',
    ),
  validationAction: z
    .enum(['error', 'warn'])
    .optional()
    .describe('Whether a write that is not valid is refused or only logged. Default: the server\'s, "error".'),
  collation,
  viewOn: z
    .string()
    .min(1)
    .optional()
    .describe('The collection of another data set, of which this one is a view. A view is read and never written to.'),
  pipeline: z
    .array(value)
    .optional()
    .describe('What a view shows of its collection: the stages of a pipeline. Default: all of it.'),
  storageEngine: storageEngine.optional(),
})

/** The options of a collection that mongo-perf creates. */
export type CollectionOptions = z.output<typeof fields>
type OptionName = keyof CollectionOptions

/** Options that the server refuses beside another one. */
const exclusions: readonly (readonly [kind: OptionName, excluded: readonly OptionName[]])[] = [
  ['viewOn', ['timeseries', 'clusteredIndex', 'expireAfterSeconds', 'changeStreamPreAndPostImages']],
  ['timeseries', ['capped', 'clusteredIndex', 'changeStreamPreAndPostImages', 'validator', 'validationLevel']],
  ['timeseries', ['validationAction']],
  ['clusteredIndex', ['capped']],
]

function refuseContradictions(given: CollectionOptions, context: z.RefinementCtx): void {
  const has = (name: OptionName): boolean => given[name] !== undefined && given[name] !== false
  const refuse = (name: OptionName, message: string): void =>
    context.addIssue({ code: 'custom', path: [name], message })
  for (const [kind, excluded] of exclusions)
    for (const name of excluded.filter((one) => has(kind) && has(one)))
      refuse(name, `cannot be combined with "${kind}": the server takes one of them`)
  if (has('expireAfterSeconds') && !(['timeseries', 'clusteredIndex', 'viewOn'] as const).some(has))
    refuse(
      'expireAfterSeconds',
      'works for time series and clustered collections; for others use "expireAfterSeconds" of an index on a date',
    )
  if (has('validator') && !isObject(given.validator ?? null)) refuse('validator', 'must be an object')
}

export const collectionOptions = fields
  .refine(
    ({ pipeline, viewOn }) => !pipeline || viewOn !== undefined,
    '"pipeline" defines a view, so it needs "viewOn"',
  )
  .superRefine(refuseContradictions)
  .meta({ title: 'CollectionOptions' })
  .describe("Options of `create`, under the server's names.")
