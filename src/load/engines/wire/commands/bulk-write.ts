import { BsonWriter } from '../../../../protocol/bson/writer.ts'
import { emptyReply } from '../../engine.ts'
import { type Options, type Write, type WriteKind } from '../../intent.ts'
import { createTemplate, type Message, type Template } from '../message.ts'
import { type Exchange, commonFields, isAcknowledged, type MethodContext } from '../method.ts'
import { type BatchKind, BulkTally } from '../replies/bulk-tally.ts'
import { invalidArgument, WriteReply } from '../replies/write-reply.ts'
import { identified, requireSize } from './inserts.ts'
import { decoded, optionsWriter, type WriteOptions, writeFields } from './options.ts'
import { type Change, type ChangeMessages, statementFields, writeChange } from './updates.ts'

type Order = 'ordered' | 'unordered'

const batchKinds: Readonly<Record<WriteKind, BatchKind>> = {
  insertOne: 'insert',
  updateOne: 'update',
  updateMany: 'update',
  replaceOne: 'update',
  deleteOne: 'delete',
  deleteMany: 'delete',
}

/** Options that commands of a kind have no field for. */
const withoutLet = ({ let: _let, ...options }: Options): Options => options

/** How writes of one kind become a command. */
type Command = { readonly sequence: string; readonly fieldsOf: (options: Options) => Options }

const commands: Readonly<Record<BatchKind, Command>> = {
  insert: { sequence: 'documents', fieldsOf: withoutLet },
  update: { sequence: 'updates', fieldsOf: (options) => options },
  delete: { sequence: 'deletes', fieldsOf: (options) => options },
}

const kinds = Object.keys(commands) as readonly BatchKind[]

/** Writes that one command holds, as they lie in a buffer. */
type Batch = { readonly kind: BatchKind; start: number; end: number; writes: number }

/** More bytes or writes than that go into several commands, as the driver sends them. */
const maxBytes = 16 * 1024 * 1024
const maxWrites = 100_000

/**
 * Encodes all writes: what is wrong with one of them shows before any is sent. In order each kind begins a new command where
 * it changes; in no order all of a kind go together. As in the driver.
 */
function encodeBatches(writes: readonly Write[], order: Order, options: Options, out: BsonWriter): readonly Batch[] {
  out.at = 0
  const ofKind = (kind: BatchKind): readonly Write[] => writes.filter((write) => batchKinds[write.kind] === kind)
  const sorted = order === 'ordered' ? writes : kinds.flatMap(ofKind)
  const batches: Batch[] = []
  let last: Batch | undefined
  for (const write of sorted) {
    const kind = batchKinds[write.kind]
    const start = out.at
    writeStatement(out, write, options)
    requireSize(out.at - start)
    if (last?.kind !== kind || last.writes === maxWrites || out.at - last.start >= maxBytes)
      batches.push((last = { kind, start, end: start, writes: 0 }))
    last.end = out.at
    last.writes += 1
  }
  return batches
}

export function bulkWrite(context: MethodContext): () => Exchange {
  const isAnswered = isAcknowledged(context)
  const templates = { ordered: createTemplates(context, 'ordered'), unordered: createTemplates(context, 'unordered') }
  const writeOptions = optionsWriters()
  return () => {
    const reply = new WriteReply()
    const encoded = new BsonWriter(64)
    let order: Order = 'ordered'
    let tally = new BulkTally(order)
    let options: Options = {}
    let batches: readonly Batch[] = []
    let sent = 0

    function sendNext(message: Message): boolean {
      const batch = batches[sent]
      if (batch === undefined) return false
      sent += 1
      const { kind, start, end } = batch
      writeOptions[kind](options, message.begin(templates[order][kind]))
      message.endBody()
      message.beginSequence(commands[kind].sequence).copy(encoded.bytes, start, end)
      message.endSequence()
      message.finish(isAnswered)
      return true
    }

    return {
      unacknowledged: isAnswered ? undefined : () => emptyReply,
      begin(args, message) {
        options = decoded(args.options)
        order = options['ordered'] === false ? 'unordered' : 'ordered'
        tally = new BulkTally(order)
        batches = encodeBatches(args.writes ?? [], order, options, encoded)
        sent = 0
        if (!sendNext(message)) throw invalidArgument('Invalid BulkOperation, Batch cannot be empty')
      },
      next: sendNext,
      take(bytes, start, end, message) {
        const { kind } = batches[sent - 1] as Batch
        const goesOn = tally.add(kind, reply, bytes, start, end)
        return goesOn && sendNext(message) ? undefined : tally.result()
      },
      failedBy: (error) => tally.failedBy(error),
    }
  }
}

const createTemplates = (context: MethodContext, order: Order): Readonly<Record<BatchKind, Template>> => {
  const template = (kind: BatchKind): Template =>
    createTemplate({ [kind]: context.method.collection, ordered: order === 'ordered', ...commonFields(context) })
  return { insert: template('insert'), update: template('update'), delete: template('delete') }
}

const optionsWriters = (): Readonly<Record<BatchKind, WriteOptions>> => ({
  insert: createOptionsWriter('insert'),
  update: createOptionsWriter('update'),
  delete: createOptionsWriter('delete'),
})

const createOptionsWriter = (kind: BatchKind): WriteOptions =>
  optionsWriter(({ ordered: _ordered, forceServerObjectId: _force, ...options }) => commands[kind].fieldsOf(options))

const bulkMessages: ChangeMessages = {
  update: 'Update document requires atomic operators',
  replacement: 'Replacement document must not use atomic operators',
  neither: 'Document must be a valid JavaScript object',
}

function writeStatement(out: BsonWriter, { kind, fields }: Write, options: Options): void {
  const { document, filter = {}, update, replacement, ...others } = fields
  if (kind === 'insertOne') {
    out.value(identified(document, options))
    return
  }
  const start = out.beginDocument()
  out.element('q', filter)
  if (kind === 'deleteOne' || kind === 'deleteMany') out.element('limit', kind === 'deleteOne' ? 1 : 0)
  else {
    const change: Change = kind === 'replaceOne' ? 'replacement' : 'update'
    writeChange(out, 'u', change === 'update' ? update : replacement, change, bulkMessages)
    out.element('multi', kind === 'updateMany')
  }
  writeFields(statementFields(decoded(others)), out)
  out.endDocument(start)
}
