import { type Document } from 'bson'
import { MongoServerError } from 'mongodb'
import { type BsonWriter } from '../../../../protocol/bson/writer.ts'
import { emptyReply } from '../../engine.ts'
import { type Namespace, type Options, type Write } from '../../intent.ts'
import { type BulkCounts, partOfBulk } from '../../outcomes.ts'
import { createTemplate, type Message } from '../message.ts'
import { type Exchange, commonFields, isAcknowledged, type MethodContext } from '../method.ts'
import { ClientBulkReply } from '../replies/client-bulk-reply.ts'
import { decodeReply, invalidArgument, namedError } from '../replies/write-reply.ts'
import { identified } from './inserts.ts'
import { decoded, optionsWriter, writeFields } from './options.ts'
import { type ChangeMessages, statementFields, writeChange } from './updates.ts'

/** Limits of one command. A message has at most 48,000,000 bytes, of which the driver leaves some unused. */
const maxBytes = 47_000_000
const maxWrites = 100_000
/** `maxBsonObjectSize` of every server. */
const maxOperationBytes = 16 * 1024 * 1024

const toCommandFields = ({ ordered = true, ...options }: Options) => ({
  errorsOnly: true,
  ordered,
  bypassDocumentValidation: false,
  ...options,
})

const clientBulkMessages: ChangeMessages = {
  error: (message) => namedError('MongoAPIError', message),
  update: 'Client bulk write update models must only contain atomic modifiers (start with $) and must not be empty.',
  replacement:
    'Client bulk write replace models must not contain atomic modifiers (start with $) and must not be empty.',
}

type Counts = { -readonly [Name in keyof BulkCounts]: number }

const noCounts: Counts = { insertedCount: 0, matchedCount: 0, modifiedCount: 0, upsertedCount: 0, deletedCount: 0 }

/** The exchange for `clientBulkWrite`, whose command is run on "admin" and names the collections of its writes itself. */
export function clientBulkWrite(context: MethodContext): () => Exchange {
  const { database } = context
  const isAnswered = isAcknowledged(context)
  const template = createTemplate({ bulkWrite: 1, ...commonFields({ ...context, database: 'admin' }) })
  const bare = createTemplate({})
  const writeOptions = optionsWriter(toCommandFields)
  const fullName = (namespace: Namespace | undefined): string =>
    `${namespace?.database ?? database}.${namespace?.collection ?? ''}`
  return () => {
    const reply = new ClientBulkReply()
    let counts = { ...noCounts }
    let options: Options = {}
    let writes: readonly Write[] = []
    let isOrdered = true
    let sent = 0
    /** Number of writes in the commands before the last. */
    let before = 0
    let writeErrors = new Map<number, { readonly code: number; readonly message: string }>()
    let writeConcernErrors: { readonly code: number; readonly message: string }[] = []

    function sendNext(message: Message): boolean {
      if (sent === writes.length) return false
      reply.begin()
      before = sent
      const names = new Map<string, number>()
      writeOptions(options, message.begin(template))
      message.endBody()
      const out = message.beginSequence('ops')
      const [first, start] = [sent, out.at]
      while (sent < writes.length && sent - first < maxWrites) {
        const write = writes[sent] as Write
        const behind = out.at
        writeOperation(out, write, getOrAddIndex(names, fullName(write.namespace)))
        if (out.at - start > maxBytes) {
          // It does not fit any more: the next command begins with it.
          out.at = behind
          break
        }
        sent += 1
      }
      message.endSequence()
      message.beginSequence('nsInfo')
      for (const ns of names.keys()) out.document({ ns })
      message.endSequence()
      message.finish(isAnswered)
      return true
    }

    function askForMore(message: Message): undefined {
      const out = message.begin(bare)
      writeFields({ getMore: reply.cursorId, collection: '$cmd.bulkWrite', $db: 'admin' }, out)
      message.endBody()
      message.finish()
    }

    /** Whatever was sent before, with what is known of it. */
    const failure = (message: string, cause?: Error): Error =>
      Object.assign(namedError('MongoClientBulkWriteError', message), {
        cause,
        writeErrors,
        writeConcernErrors,
        partialResult: counts,
      })

    return {
      unacknowledged: isAnswered ? undefined : () => emptyReply,
      begin(args, message) {
        options = decoded(args.options)
        isOrdered = options['ordered'] !== false
        if (!isAnswered && isOrdered)
          throw invalidArgument('Cannot request unacknowledged write concern and ordered writes')
        writes = args.writes ?? []
        counts = { ...noCounts }
        sent = 0
        writeErrors = new Map()
        writeConcernErrors = []
        if (!sendNext(message))
          throw namedError('MongoClientBulkWriteExecutionError', 'No client bulk write models were provided.')
      },
      next: sendNext,
      take(bytes, start, end, message) {
        if (!reply.read(bytes, start, end)) {
          const refused = new MongoServerError(decodeReply(bytes, start, end))
          throw failure('Mongo client bulk write encountered an error during execution', refused)
        }
        reply.addTo(counts)
        if (reply.hasTrouble) {
          const { cursor, writeConcernError } = decodeReply(bytes, start, end)
          for (const { ok, idx, code, errmsg } of (cursor?.firstBatch ?? cursor?.nextBatch ?? []) as Document[])
            if (ok !== 1) writeErrors.set(before + idx, { code, message: errmsg })
          if (writeConcernError)
            writeConcernErrors.push({ code: writeConcernError.code, message: writeConcernError.errmsg })
        }
        if (reply.cursorId !== 0n) return askForMore(message)
        if (!(isOrdered && writeErrors.size > 0) && sendNext(message)) return undefined
        if (writeErrors.size > 0 || writeConcernErrors.length > 0)
          throw failure('Mongo client bulk write encountered errors during execution.')
        return partOfBulk(counts)
      },
    }
  }
}

function requireSize(bytes: number): void {
  if (bytes > maxOperationBytes)
    throw invalidArgument(
      `Client bulk write operation ops of length ${bytes} exceeds the max bson object size of ${maxOperationBytes}`,
    )
}

function getOrAddIndex(names: Map<string, number>, name: string): number {
  const index = names.get(name) ?? names.size
  names.set(name, index)
  return index
}

/** @param index Of the collection among those of the command. */
function writeOperation(out: BsonWriter, { kind, fields }: Write, index: number): void {
  const { document, filter = {}, update, replacement, ...others } = fields
  const start = out.beginDocument()
  if (kind === 'insertOne') {
    out.element('insert', index)
    out.element('document', identified(document, {}))
  } else if (kind === 'deleteOne' || kind === 'deleteMany') {
    out.element('delete', index)
    out.element('multi', kind === 'deleteMany')
    out.element('filter', filter)
  } else {
    out.element('update', index)
    out.element('multi', kind === 'updateMany')
    out.element('filter', filter)
    const change = kind === 'replaceOne' ? 'replacement' : 'update'
    writeChange(out, 'updateMods', change === 'update' ? update : replacement, change, clientBulkMessages)
  }
  writeFields(statementFields(decoded(others)), out)
  out.endDocument(start)
  requireSize(out.at - start)
}
