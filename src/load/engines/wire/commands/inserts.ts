import { ObjectId } from 'bson'
import { EncodedValue, headroomBytes } from '../../../../protocol/bson/encoded.ts'
import { BsonWriter } from '../../../../protocol/bson/writer.ts'
import { emptyReply, type Reply } from '../../engine.ts'
import { type NamedArguments, type Options } from '../../intent.ts'
import { createTemplate, type Message, type Template } from '../message.ts'
import { type Exchange, commonFields, isAcknowledged, type MethodContext } from '../method.ts'
import { BulkTally } from '../replies/bulk-tally.ts'
import { invalidArgument, WriteReply } from '../replies/write-reply.ts'
import { decoded, optionsWriter } from './options.ts'

const insertedReply = (documents: number): Reply => ({ ...emptyReply, documents, inserted: documents })

/** Whether the server stops at a document that it refuses is in the template of a batch, not here. */
const toCommandFields = ({ forceServerObjectId: _force, ordered: _ordered, ...options }: Options) => options

export function insertOne(context: MethodContext): () => Exchange {
  const isAnswered = isAcknowledged(context)
  const template = createInsertTemplate(context, true)
  const writeOptions = optionsWriter(toCommandFields)
  return () => {
    const reply = new WriteReply()
    return {
      unacknowledged: isAnswered ? undefined : () => insertedReply(1),
      begin({ document, options }, message) {
        beginInsert(message, template, options, writeOptions)
        const out = message.beginSequence('documents')
        out.value(identified(document, options))
        message.endSequence()
        message.finish(isAnswered)
      },
      take(bytes, start, end) {
        reply.require(bytes, start, end).requireCount()
        return insertedReply(reply.n)
      },
    }
  }
}

/** More bytes of documents than that go into several messages, as the driver sends them. */
const maxBytes = 16 * 1024 * 1024
/** `maxWriteBatchSize` of every server. */
const maxDocuments = 100_000

/** Documents that stand back to back in a buffer with room in front of them. */
type Standing = { readonly bytes: Buffer; readonly documents: readonly EncodedValue[] }

export function insertMany(context: MethodContext): () => Exchange {
  const isAnswered = isAcknowledged(context)
  const templates = { ordered: createInsertTemplate(context, true), unordered: createInsertTemplate(context, false) }
  const writeOptions = optionsWriter(toCommandFields)
  return () => {
    const own = new BsonWriter(64)
    const reply = new WriteReply()
    let tally = new BulkTally('ordered')
    let order: keyof typeof templates = 'ordered'
    let options: Options = {}
    let standing: Standing = { bytes: own.bytes, documents: [] }
    let sent = 0

    function sendNext(message: Message): boolean {
      const { bytes, documents } = standing
      if (sent === documents.length) return false
      const { start } = documents[sent] as EncodedValue
      sent = endOfBatch(documents, sent)
      beginInsert(message, templates[order], options, writeOptions)
      message.beginSequence('documents')
      message.finishInFrontOf(bytes, start, (documents[sent - 1] as EncodedValue).end, isAnswered)
      return true
    }

    return {
      unacknowledged: isAnswered ? undefined : ({ documents = [] }) => insertedReply(documents.length),
      begin(args, message) {
        // Before their buffer is taken: they may be in it.
        options = decoded(args.options)
        order = options['ordered'] === false ? 'unordered' : 'ordered'
        tally = new BulkTally(order)
        standing = whereWritten(args, message) ?? writeAll(args, own)
        requireSizes(standing.documents)
        sent = 0
        if (!sendNext(message)) throw invalidArgument('Invalid BulkOperation, Batch cannot be empty')
      },
      next: sendNext,
      take(bytes, start, end, message) {
        const goesOn = tally.add('insert', reply, bytes, start, end)
        return goesOn && sendNext(message) ? undefined : tally.result()
      },
      failedBy: (error) => tally.failedBy(error),
    }
  }
}

/** The driver refuses a whole bulk for one document that no server takes. */
export function requireSize(bytes: number): void {
  if (bytes >= maxBytes) throw invalidArgument(`Document is larger than the maximum size ${maxBytes}`)
}

function requireSizes(documents: readonly EncodedValue[]): void {
  const [first] = documents
  const last = documents.at(-1)
  if (first === undefined || last === undefined || last.end - first.start < maxBytes) return
  for (const { start, end } of documents) requireSize(end - start)
}

/** @returns the number of the first document behind those that fit into one message. */
function endOfBatch(documents: readonly EncodedValue[], first: number): number {
  const { start } = documents[first] as EncodedValue
  const last = documents.at(-1) as EncodedValue
  if (last.end - start < maxBytes && documents.length - first <= maxDocuments) return documents.length
  let end = first + 1
  while (
    end < documents.length &&
    end - first < maxDocuments &&
    (documents[end] as EncodedValue).end - start < maxBytes
  )
    end += 1
  return end
}

/** Documents that were written when the call was built stay where they are: the message takes their buffer over. */
function whereWritten({ documents = [] }: NamedArguments, message: Message): Standing | undefined {
  const [first] = documents
  if (!(first instanceof EncodedValue) || first.start < headroomBytes || message.out.at > headroomBytes)
    return undefined
  return { bytes: message.exchangeBuffers(first.writer), documents: documents as readonly EncodedValue[] }
}

function writeAll({ documents = [], options }: NamedArguments, out: BsonWriter): Standing {
  out.at = headroomBytes
  const written = documents.map((document) => {
    const start = out.at
    const type = out.value(identified(document, options))
    return new EncodedValue(type, out, start, out.at)
  })
  return { bytes: out.bytes, documents: written }
}

/** The driver gives every document an `_id`, in the object that it was given: evidence of checks reads it there. */
export function identified(document: unknown, { forceServerObjectId }: Options): unknown {
  if (document instanceof EncodedValue || forceServerObjectId === true) return document
  const fields = document as { ['_id']?: unknown }
  // Also in the place of a null, as the driver.
  if (fields['_id'] === undefined || fields['_id'] === null) fields['_id'] = new ObjectId()
  return fields
}

const createInsertTemplate = (context: MethodContext, ordered: boolean): Template =>
  createTemplate({ insert: context.method.collection, ordered, ...commonFields(context) })

function beginInsert(
  message: Message,
  template: Template,
  options: Options,
  writeOptions: ReturnType<typeof optionsWriter>,
): void {
  const out = message.begin(template)
  writeOptions(options, out)
  message.endBody()
}
