import { createTemplate } from '../message.ts'
import { type Exchange, commonFields, type MethodContext } from '../method.ts'
import { cursorExchange } from './cursor-exchange.ts'

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
