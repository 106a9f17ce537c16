import { type Document } from 'bson'
import { emptyReply } from '../../engine.ts'
import { type NamedArguments, type Options } from '../../intent.ts'
import { createTemplate, type Message } from '../message.ts'
import { type Exchange, type MethodContext } from '../method.ts'
import { CursorReader } from '../replies/cursor-reader.ts'
import { decodeReply, createReplyError } from '../replies/write-reply.ts'
import { optionsWriter, writeFields } from './options.ts'

/** Begins a command: its template, and its arguments. */
type WriteCommand = (message: Message, args: NamedArguments) => void

type CursorOptions = {
  readonly fieldsOf: (options: Options) => Document
  /** Returns the batch size of every further batch. */
  readonly batchSizeOf?: (options: Options) => unknown
  readonly limitOf?: (options: Options) => unknown
}

/** An exchange that reads a cursor to its end, batch by batch, and keeps nothing of it. */
export function cursorExchange(
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
        if (!isDone) throw createReplyError(decodeReply(bytes, start, end))
        reader.requireBatch()
        if (reader.id === 0n) return isOutput ? emptyReply : reader.reply()
        isClosing = goOn(message, reader, database, {
          batchSize: batchSizeOf(options),
          limit: limitOf(options),
        })
        return undefined
      },
    }
  }
}

type GoOn = { readonly batchSize: unknown; readonly limit: unknown }

/** Begins with the name of a command whose value is not the same for every call. */
const bare = createTemplate({})

/** Asks for the next batch, or closes a cursor of which no more is wanted. @returns whether it closes it. */
function goOn(message: Message, { id, collection, documents }: CursorReader, database: string, how: GoOn): boolean {
  const { batchSize, limit } = how
  const left = typeof limit === 'number' && limit > 0 ? limit - documents : Infinity
  const out = message.begin(bare)
  if (left > 0) {
    const next = batchSize === undefined || batchSize === 0 ? undefined : Math.min(Number(batchSize), left)
    writeFields({ getMore: id, collection, batchSize: next, $db: database }, out)
  } else writeFields({ killCursors: collection, cursors: [id], $db: database }, out)
  message.endBody()
  message.finish()
  return left <= 0
}
