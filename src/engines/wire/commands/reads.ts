import { type Document } from 'bson'
import { FieldReader } from '../../bson/field-reader.ts'
import { MalformedBson } from '../../bson/malformed.ts'
import { bsonType } from '../../bson/types.ts'
import { emptyReply } from '../engine.ts'
import { type NamedArguments, type Options } from '../intent.ts'
import { CursorReader } from './cursor-reader.ts'
import { type Exchange } from './exchange.ts'
import { createTemplate, type Message } from './message.ts'
import { commonFields, type MethodContext } from './method.ts'
import { optionsWriter, sortOf, writeFields } from './options.ts'
import { decodeReply, refusalOf } from './refusals.ts'

/** As `find` of the driver sends them; what it would drop is not in the schema. */
const findFields = ({ sort, raw: _raw, batchSize, limit, ...options }: Options): Document => ({
  ...options,
  sort: sortOf(sort),
  limit,
  // A batch as long as the limit would leave the cursor open.
  batchSize: batchSize !== undefined && batchSize === limit ? Number(batchSize) + 1 : batchSize,
})

/** The exchange for `find`. */
export function find(context: MethodContext): () => Exchange {
  const template = createTemplate({ find: context.method.collection, ...commonFields(context) })
  return cursorExchange(context, (message, { filter = {} }) => message.begin(template).element('filter', filter), {
    fieldsOf: findFields,
    batchSizeOf: ({ batchSize }) => batchSize,
    limitOf: ({ limit }) => limit,
  })
}

/** The exchange for `findOne`. */
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
    fieldsOf: ({ raw: _raw, batchSize, ...options }) => ({
      ...options,
      cursor: batchSize && !writes ? { batchSize } : {},
    }),
    batchSizeOf: ({ batchSize }) => batchSize,
  })
}

/** The exchange for `countDocuments`, which the driver, too, sends as a pipeline. */
export function countDocuments(context: MethodContext): () => Exchange {
  const template = createTemplate({ aggregate: context.method.collection, ...commonFields(context), cursor: {} })
  const writeOptions = optionsWriter(({ skip: _skip, limit: _limit, ...options }) => options)
  return numberExchange(
    context,
    (message, { filter = {}, options }) => {
      const { skip, limit } = options
      const out = message.begin(template)
      out.element('pipeline', [
        { $match: filter },
        ...(skip === undefined ? [] : [{ $skip: skip }]),
        ...(limit === undefined ? [] : [{ $limit: limit }]),
        countAll,
      ])
      writeOptions(options, out)
    },
    countInCursor,
  )
}

const countAll = { $group: { _id: 1, n: { $sum: 1 } } }

/** The exchange for `estimatedDocumentCount`. */
export function estimatedDocumentCount(context: MethodContext): () => Exchange {
  const template = createTemplate({ count: context.method.collection, ...commonFields(context) })
  const writeOptions = optionsWriter((options) => options)
  const write: WriteCommand = (message, { options }) => writeOptions(options, message.begin(template))
  return numberExchange(context, write, (fields) => (fields.is('n') ? fields.count() : undefined))
}

/** The exchange for `distinct`. */
export function distinct(context: MethodContext): () => Exchange {
  const template = createTemplate({ distinct: context.method.collection, ...commonFields(context) })
  const writeOptions = optionsWriter((options) => options)
  return numberExchange(
    context,
    (message, { key, filter = {}, options }) => {
      const out = message.begin(template)
      out.element('key', key)
      out.element('query', filter)
      writeOptions(options, out)
    },
    (fields) => (fields.is('values') ? lengthOf(fields) : undefined),
  )
}

type WriteCommand = (message: Message, args: NamedArguments) => void

/** @param numberIn The number in a field of the reply. Undefined: it is another field. */
function numberExchange(
  context: MethodContext,
  write: WriteCommand,
  numberIn: (fields: FieldReader) => number | undefined,
): () => Exchange {
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
        if (!isOk) throw refusalOf(decodeReply(bytes, start, end))
        if (matched === undefined) throw new MalformedBson('a reply without the number that was asked for')
        return { ...emptyReply, matched }
      },
    }
  }
}

function lengthOf(list: FieldReader): number {
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

type CursorOptions = {
  readonly fieldsOf: (options: Options) => Document
  /** What every further batch is asked with. */
  readonly batchSizeOf?: (options: Options) => unknown
  readonly limitOf?: (options: Options) => unknown
}

/** An exchange that reads a cursor to its end, batch by batch, and keeps nothing of it. */
function cursorExchange(
  context: MethodContext,
  write: WriteCommand,
  { fieldsOf, batchSizeOf = () => undefined, limitOf = () => undefined }: CursorOptions,
): () => Exchange {
  const { method, database } = context
  const keepsDocument = method.documentIsRead === true
  const writeOptions = optionsWriter(fieldsOf)
  const isOutput = method.reply === 'output'
  return () => {
    const reader = new CursorReader()
    let options: Options = {}
    let isClosing = false
    return {
      // A server replies to a pipeline also where nothing has to acknowledge what it writes.
      unacknowledged: undefined,
      begin(args, message) {
        reader.begin(keepsDocument)
        isClosing = false
        write(message, args)
        options = writeOptions(args.options, message.out)
        message.endBody()
        message.finish()
      },
      take(bytes, start, end, message) {
        const isDone = reader.read(bytes, start, end)
        // All that was asked for has been read before.
        if (isClosing) return reader.reply()
        if (!isDone) throw refusalOf(decodeReply(bytes, start, end))
        reader.requireBatch()
        if (reader.id === 0n) return isOutput ? emptyReply : reader.reply()
        isClosing = goOn(message, reader, database, {
          batchSize: batchSizeOf(options),
          limit: limitOf(options),
          comment: options['comment'],
        })
        return undefined
      },
    }
  }
}

type GoOn = { readonly batchSize: unknown; readonly limit: unknown; readonly comment: unknown }

/** Begins with the name of a command whose value is not the same for every call. */
const bare = createTemplate({})

/** Asks for the next batch, or closes a cursor of which no more is wanted. @returns whether it closes it. */
function goOn(message: Message, { id, collection, documents }: CursorReader, database: string, how: GoOn): boolean {
  const { batchSize, limit, comment } = how
  const left = typeof limit === 'number' && limit > 0 ? limit - documents : Infinity
  const out = message.begin(bare)
  if (left > 0) {
    const next = batchSize === undefined || batchSize === 0 ? undefined : Math.min(Number(batchSize), left)
    writeFields({ getMore: id, collection, batchSize: next, comment, $db: database }, out)
  } else writeFields({ killCursors: collection, cursors: [id], $db: database }, out)
  message.endBody()
  message.finish()
  return left <= 0
}
