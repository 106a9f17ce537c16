import { type BsonWriter } from '../../bson/writer.ts'
import { emptyReply } from '../engine.ts'
import { type Options, type Write, type WriteKind } from '../intent.ts'
import { type BatchKind, BulkTally } from './bulk-tally.ts'
import { type Exchange } from './exchange.ts'
import { identified } from './inserts.ts'
import { createTemplate, type Message, type Template } from './message.ts'
import { commonFields, isAcknowledged, type MethodContext } from './method.ts'
import { decoded, optionsWriter, writeFields } from './options.ts'
import { invalidArgument } from './refusals.ts'
import { type Change, statementFields, writeChange } from './updates.ts'
import { WriteReply } from './write-reply.ts'

type Order = 'ordered' | 'unordered'

const sequences: Readonly<Record<BatchKind, string>> = {
  insert: 'documents',
  update: 'updates',
  delete: 'deletes',
}

const batchKinds: Readonly<Record<WriteKind, BatchKind>> = {
  insertOne: 'insert',
  updateOne: 'update',
  updateMany: 'update',
  replaceOne: 'update',
  deleteOne: 'delete',
  deleteMany: 'delete',
}

/** Writes that one command holds. */
type Batch = { readonly kind: BatchKind; readonly writes: readonly Write[] }

/** In order each kind begins a new command where it changes; in no order all of a kind go together. As in the driver. */
function batchesOf(writes: readonly Write[], order: Order): readonly Batch[] {
  if (order === 'unordered')
    return (['insert', 'update', 'delete'] as const)
      .map((kind) => ({ kind, writes: writes.filter((write) => batchKinds[write.kind] === kind) }))
      .filter((batch) => batch.writes.length > 0)
  const batches: { kind: BatchKind; writes: Write[] }[] = []
  for (const write of writes) {
    const kind = batchKinds[write.kind]
    const last = batches.at(-1)
    if (last?.kind === kind) last.writes.push(write)
    else batches.push({ kind, writes: [write] })
  }
  return batches
}

/** More bytes or writes than that go into several commands, as the driver sends them. */
const maxBytes = 16 * 1024 * 1024
const maxWrites = 100_000

/** The exchange for `bulkWrite`. */
export function bulkWrite(context: MethodContext): () => Exchange {
  const isAnswered = isAcknowledged(context)
  const templates = { ordered: templatesOf(context, 'ordered'), unordered: templatesOf(context, 'unordered') }
  const writeOptions = optionsWriter(({ ordered: _ordered, forceServerObjectId: _force, ...options }) => options)
  return () => {
    const reply = new WriteReply()
    let order: Order = 'ordered'
    let tally = new BulkTally(order)
    let options: Options = {}
    let batches: readonly Batch[] = []
    let current: Batch | undefined
    /** Where in `batches` the next message begins, and where in that batch. */
    let batch = 0
    let position = 0

    function sendNext(message: Message): boolean {
      current = batches[batch]
      if (current === undefined) return false
      const { kind, writes } = current
      writeOptions(options, message.begin(templates[order][kind]))
      message.endBody()
      const out = message.beginSequence(sequences[kind])
      const start = out.at
      const first = position
      do writeStatement(out, writes[position++] as Write, options)
      while (position < writes.length && position - first < maxWrites && out.at - start < maxBytes)
      message.endSequence()
      message.finish(isAnswered)
      if (position === writes.length) [batch, position] = [batch + 1, 0]
      return true
    }

    return {
      unacknowledged: isAnswered ? undefined : () => emptyReply,
      begin(args, message) {
        options = args.options
        order = decoded(options)['ordered'] === false ? 'unordered' : 'ordered'
        tally = new BulkTally(order)
        batches = batchesOf(args.writes ?? [], order)
        ;[batch, position] = [0, 0]
        if (!sendNext(message)) throw invalidArgument('Invalid BulkOperation, Batch cannot be empty')
      },
      next: sendNext,
      take(bytes, start, end, message) {
        const { kind } = current as Batch
        const goesOn = tally.add(kind, reply, bytes, start, end)
        return goesOn && sendNext(message) ? undefined : tally.result()
      },
      failedBy: (error) => tally.failedBy(error),
    }
  }
}

const templatesOf = (context: MethodContext, order: Order): Readonly<Record<BatchKind, Template>> => {
  const template = (kind: BatchKind): Template =>
    createTemplate({ [kind]: context.method.collection, ordered: order === 'ordered', ...commonFields(context) })
  return { insert: template('insert'), update: template('update'), delete: template('delete') }
}

const wordsOfBulk: Readonly<Record<Change, string>> = {
  update: 'Update document requires atomic operators',
  replacement: 'Replacement document must not use atomic operators',
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
    const change = kind === 'replaceOne' ? 'replacement' : 'update'
    writeChange(out, 'u', change === 'update' ? update : replacement, change, wordsOfBulk)
    out.element('multi', kind === 'updateMany')
  }
  writeFields(statementFields(decoded(others)), out)
  out.endDocument(start)
}
