import { z } from 'zod'
import { value } from '../../language/value-schema.ts'

/** Options of a collection that mongo-perf itself goes by. */
export type CollectionOptions = Readonly<Record<string, unknown>> & {
  readonly capped?: boolean
  readonly timeseries?: { readonly timeField: string }
  readonly viewOn?: string
}

const fields: z.ZodType<CollectionOptions, Readonly<Record<string, unknown>>> = z.record(
  z.string().regex(/^(?!create$)[A-Za-z]\w*$/, 'is no option of `create`'),
  value.optional(),
)

/** Schema of the options of a collection: the server checks them. */
export const collectionOptions = fields
  .meta({ title: 'CollectionOptions' })
  .describe(
    'Options of `create`, under the names of the server, which checks them: of capped, time series and clustered collections, of views, validators, collations and storage. See https://www.mongodb.com/docs/manual/reference/command/create/',
  )
