import { z } from 'zod'
import { value } from '../../language/value-schema.ts'

/** Options of a collection that mongo-perf itself goes by. */
export type CollectionOptions = Readonly<Record<string, unknown>> & {
  readonly capped?: boolean
  readonly timeseries?: { readonly timeField: string }
  readonly viewOn?: string
}

const fields: z.ZodType<CollectionOptions, Readonly<Record<string, unknown>>> = z.record(
  z.string().regex(/^(?!create$)[A-Za-z]\w*$/, 'is not an option of `create`'),
  value.optional(),
)

/** Schema of the options of a collection: the server checks them. */
export const collectionOptions = fields
  .meta({ title: 'CollectionOptions' })
  .describe(
    'Options of `create`, as the server names and checks them: for capped, time series and clustered collections, views, validators, collations and storage. See https://www.mongodb.com/docs/manual/reference/command/create/',
  )
