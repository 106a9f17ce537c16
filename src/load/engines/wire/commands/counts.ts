import { FieldReader } from '../../../../protocol/bson/field-reader.ts'
import { MalformedBson, bsonType } from '../../../../protocol/bson/types.ts'
import { emptyReply } from '../../engine.ts'
import type { NamedArguments } from '../../intent.ts'
import { type Message, createTemplate } from '../message.ts'
import { type Exchange, type MethodContext, commonFields } from '../method.ts'
import { createReplyError, decodeReply } from '../replies/write-reply.ts'
import { optionsWriter } from './options.ts'

/** The exchange for `countDocuments`, which the driver, too, sends as a pipeline. */
export function countDocuments(context: MethodContext): () => Exchange {
  const template = createTemplate({ aggregate: context.method.collection, ...commonFields(context), cursor: {} })
  const writeOptions = optionsWriter(({ skip: _skip, limit: _limit, ...options }) => options)
  return numberExchange((message, { filter = {}, options }) => {
    const { skip, limit } = options
    const out = message.begin(template)
    out.element('pipeline', [
      { $match: filter },
      ...(skip === undefined ? [] : [{ $skip: skip }]),
      ...(limit === undefined ? [] : [{ $limit: limit }]),
      countAll,
    ])
    writeOptions(options, out)
  }, countInCursor)
}

const countAll = { $group: { _id: 1, n: { $sum: 1 } } }

export function estimatedDocumentCount(context: MethodContext): () => Exchange {
  const template = createTemplate({ count: context.method.collection, ...commonFields(context) })
  const writeOptions = optionsWriter((options) => options)
  const write: WriteCommand = (message, { options }) => writeOptions(options, message.begin(template))
  return numberExchange(write, (fields) => (fields.is('n') ? fields.count() : undefined))
}

export function distinct(context: MethodContext): () => Exchange {
  const template = createTemplate({ distinct: context.method.collection, ...commonFields(context) })
  const writeOptions = optionsWriter((options) => options)
  return numberExchange(
    (message, { key, filter = {}, options }) => {
      const out = message.begin(template)
      out.element('key', key)
      out.element('query', filter)
      writeOptions(options, out)
    },
    (fields) => (fields.is('values') ? countItems(fields) : undefined),
  )
}

type WriteCommand = (message: Message, args: NamedArguments) => void

function numberExchange(write: WriteCommand, numberIn: (fields: FieldReader) => number | undefined): () => Exchange {
  return () => {
    const fields = new FieldReader()
    return {
      unacknowledged: undefined,
      begin(args, message) {
        write(message, args)
        message.endBody()
        message.finish()
      },
      take(bytes, start, end) {
        let isOk = false
        let matched: number | undefined
        fields.open(bytes, start, end)
        while (fields.next()) {
          if (fields.is('ok')) isOk = fields.number() === 1
          else matched = numberIn(fields) ?? matched
        }
        if (!isOk) throw createReplyError(decodeReply(bytes, start, end))
        if (matched === undefined) throw new MalformedBson('a reply without the number that was asked for')
        return { ...emptyReply, matched }
      },
    }
  }
}

function countItems(list: FieldReader): number {
  const items = new FieldReader().openValueOf(list, bsonType.array)
  let length = 0
  while (items.next()) length += 1
  return length
}

/** The `n` of the only document in the first batch; 0 where there is none. */
function countInCursor(fields: FieldReader): number | undefined {
  if (!fields.is('cursor')) return undefined
  const cursor = new FieldReader().openValueOf(fields)
  while (cursor.next()) {
    if (!cursor.is('firstBatch')) continue
    const batch = new FieldReader().openValueOf(cursor, bsonType.array)
    if (!batch.next()) return 0
    const document = new FieldReader().openValueOf(batch)
    while (document.next()) if (document.is('n')) return document.count()
  }
  return undefined
}
