import type { Document } from 'bson'
import { FieldReader } from '../../../../protocol/bson/field-reader.ts'
import { bsonType, int32At } from '../../../../protocol/bson/types.ts'
import type { BsonWriter } from '../../../../protocol/bson/writer.ts'
import { type Reply, emptyReply } from '../../engine.ts'
import type { NamedArguments, Options } from '../../intent.ts'
import { createTemplate } from '../message.ts'
import { type Exchange, type MethodContext, commonFields, isAcknowledged } from '../method.ts'
import { WriteReply, invalidArgument } from '../replies/write-reply.ts'
import { normalizeSort, optionsWriter } from './options.ts'

/** Form of the argument that changes a document: operators (or a pipeline), or the whole new document. */
export type Change = 'update' | 'replacement'

/** Messages of the driver for an argument that is something else. */
export type ChangeMessages = Readonly<Record<Change, string>> & {
  /** Message for a value that is no object. Default: that of the other change. */
  readonly neither?: string
  /** Default: of an invalid argument. */
  readonly error?: (message: string) => Error
}

const firstKeyAt = 5
const dollar = '$'.charCodeAt(0)

/**
 * Writes what a document becomes, under a name.
 * @throws as the driver where operators take the place of a document, or the other way round: the server would take them.
 */
export function writeChange(
  out: BsonWriter,
  name: string,
  value: unknown,
  change: Change,
  messages: ChangeMessages = methodMessages,
): void {
  const typeAt = out.beginElement(name)
  const start = out.at
  const type = out.value(value)
  out.bytes[typeAt] = type
  if (type !== bsonType.document && type !== bsonType.array) throw invalidArgument(messages.neither ?? messages[change])
  const isOperators = type === bsonType.document ? hasOperators(out, start) : hasStages(out, start)
  if (isOperators !== (change === 'update')) throw (messages.error ?? invalidArgument)(messages[change])
}

/** Whether the first field of a document is an operator. */
const hasOperators = ({ bytes }: BsonWriter, start: number): boolean =>
  int32At(bytes, start) > firstKeyAt && bytes[start + firstKeyAt] === dollar

/** Whether an element of an array is a document with operators: one is enough for the driver. */
function hasStages({ bytes, at }: BsonWriter, start: number): boolean {
  const items = new FieldReader().open(bytes, start, at)
  while (items.next()) if (items.type === bsonType.document && bytes[items.start + firstKeyAt] === dollar) return true
  return false
}

const methodMessages: ChangeMessages = {
  neither: 'Document must be a valid JavaScript object',
  update: 'Update document requires atomic operators',
  replacement: 'Replacement document must not contain atomic operators',
}

/** Options of a write that stand next to its filter, not in the body of the command. */
const statementOptions = ['upsert', 'arrayFilters', 'collation', 'hint', 'sort'] as const

export const statementFields = ({ upsert, arrayFilters, collation, hint, sort }: Options): Document => ({
  // The driver leaves out what is the server's default.
  upsert: upsert === true ? true : undefined,
  arrayFilters,
  collation,
  hint,
  sort: normalizeSort(sort),
})

const bodyFields = (options: Options): Document =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !statementOptions.some((other) => other === name)))

type Statement = {
  readonly command: 'update' | 'delete'
  readonly sequence: 'updates' | 'deletes'
  readonly write: (out: BsonWriter, args: NamedArguments) => void
  readonly replyOf: (reply: WriteReply) => Reply
}

const updated = ({ n, nModified, upserted }: WriteReply): Reply => ({
  ...emptyReply,
  documents: nModified + upserted,
  matched: n - upserted,
  modified: nModified,
  upserted,
})

const deleted = ({ n }: WriteReply): Reply => ({ ...emptyReply, documents: n, deleted: n })

const updating = (change: Change, multi: boolean): Statement => ({
  command: 'update',
  sequence: 'updates',
  write(out, { filter, [change]: value }) {
    out.element('q', filter)
    writeChange(out, 'u', value, change)
    out.element('multi', multi)
  },
  replyOf: updated,
})

const deleting = (limit: 0 | 1): Statement => ({
  command: 'delete',
  sequence: 'deletes',
  write(out, { filter }) {
    out.element('q', filter)
    out.element('limit', limit)
  },
  replyOf: deleted,
})

/** The exchange for one statement in a command of its own. */
const statement =
  ({ command, sequence, write, replyOf }: Statement) =>
  (context: MethodContext): (() => Exchange) => {
    const isAnswered = isAcknowledged(context)
    const template = createTemplate({ [command]: context.method.collection, ordered: true, ...commonFields(context) })
    const writeBody = optionsWriter(bodyFields)
    const writeStatement = optionsWriter(statementFields)
    return () => {
      const reply = new WriteReply()
      return {
        unacknowledged: isAnswered ? undefined : () => emptyReply,
        begin(args, message) {
          writeBody(args.options, message.begin(template))
          message.endBody()
          const out = message.beginSequence(sequence)
          const start = out.beginDocument()
          write(out, args)
          writeStatement(args.options, out)
          out.endDocument(start)
          message.endSequence()
          message.finish(isAnswered)
        },
        take(bytes, start, end) {
          reply.require(bytes, start, end).requireCount()
          return replyOf(reply)
        },
      }
    }
  }

export const updateOne = statement(updating('update', false))
export const updateMany = statement(updating('update', true))
export const replaceOne = statement(updating('replacement', false))
export const deleteOne = statement(deleting(1))
export const deleteMany = statement(deleting(0))
