import type { Document } from 'bson'
import type { Options } from '../../intent.ts'
import { createTemplate } from '../message.ts'
import { type Exchange, type MethodContext, commonFields } from '../method.ts'
import { cursorExchange } from './cursor-exchange.ts'
import { normalizeSort } from './options.ts'

/** Returns the fields that the driver's `find` sends; any that it would drop are not in the schema. */
const findFields = ({ sort, batchSize, limit, ...options }: Options): Document => ({
  ...options,
  sort: normalizeSort(sort),
  limit,
  // A batch as long as the limit would leave the cursor open.
  batchSize: batchSize !== undefined && batchSize === limit ? Number(batchSize) + 1 : batchSize,
})

export function find(context: MethodContext): () => Exchange {
  const template = createTemplate({ find: context.method.collection, ...commonFields(context) })
  return cursorExchange(context, (message, { filter = {} }) => message.begin(template).element('filter', filter), {
    fieldsOf: findFields,
    batchSizeOf: ({ batchSize }) => batchSize,
    limitOf: ({ limit }) => limit,
  })
}

export function findOne(context: MethodContext): () => Exchange {
  const template = createTemplate({
    find: context.method.collection,
    limit: 1,
    singleBatch: true,
    ...commonFields(context),
  })
  return cursorExchange(context, (message, { filter = {} }) => message.begin(template).element('filter', filter), {
    fieldsOf: findFields,
  })
}

/** The exchange for `aggregate`, whether documents come back or go into a collection. */
export function aggregate(context: MethodContext): () => Exchange {
  const writes = context.method.reply === 'output'
  const template = createTemplate({ aggregate: context.method.collection, ...commonFields(context) })
  return cursorExchange(context, (message, { pipeline }) => message.begin(template).element('pipeline', pipeline), {
    // The driver leaves out a `batchSize` of 0, and any where documents go into a collection.
    fieldsOf: ({ batchSize, ...options }) => ({
      ...options,
      cursor: batchSize && !writes ? { batchSize } : {},
    }),
    batchSizeOf: ({ batchSize }) => batchSize,
  })
}
