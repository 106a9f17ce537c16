import type { Document } from 'bson'
import { FieldReader } from '../../../../protocol/bson/field-reader.ts'
import { MalformedBson, bsonType } from '../../../../protocol/bson/types.ts'
import type { BsonWriter } from '../../../../protocol/bson/writer.ts'
import { type Reply, emptyReply } from '../../engine.ts'
import type { NamedArguments, Options } from '../../intent.ts'
import { createTemplate } from '../message.ts'
import { type Exchange, type MethodContext, commonFields, isAcknowledged } from '../method.ts'
import { createReplyError, decodeReply } from '../replies/write-reply.ts'
import { normalizeSort, optionsWriter } from './options.ts'
import { type Change, type ChangeMessages, writeChange } from './updates.ts'

const toCommandFields = ({ returnDocument, upsert, projection, sort, ...options }: Options): Document => ({
  ...options,
  new: returnDocument === 'after' ? true : undefined,
  upsert: upsert === true ? true : undefined,
  fields: projection,
  sort: normalizeSort(sort),
})

const messages: Readonly<Record<Change, ChangeMessages>> = {
  update: messagesFor('update'),
  replacement: messagesFor('replacement'),
}

function messagesFor(argument: Change): ChangeMessages {
  return {
    update: 'Update document requires atomic operators',
    replacement: 'Replacement document must not contain atomic operators',
    neither: `Argument "${argument}" must be an object`,
  }
}

const changing =
  (change: Change) =>
  (out: BsonWriter, { [change]: value }: NamedArguments): void =>
    writeChange(out, 'update', value, change, messages[change])

const exchange =
  (writeWhat: (out: BsonWriter, args: NamedArguments) => void) =>
  (context: MethodContext): (() => Exchange) => {
    const { method } = context
    const isAnswered = isAcknowledged(context)
    const template = createTemplate({ findAndModify: method.collection, ...commonFields(context) })
    const writeOptions = optionsWriter(toCommandFields)
    const isDelete = method.reply === 'findAndDelete'
    const keepsDocument = method.documentIsRead === true
    return () => {
      const changed = new LastChange()
      return {
        unacknowledged: isAnswered ? undefined : () => emptyReply,
        begin(args, message) {
          const out = message.begin(template)
          out.element('query', args.filter ?? {})
          writeWhat(out, args)
          writeOptions(args.options, out)
          message.endBody()
          message.finish(isAnswered)
        },
        take(bytes, start, end) {
          if (!changed.read(bytes, start, end, keepsDocument)) throw createReplyError(decodeReply(bytes, start, end))
          changed.requireCount()
          return isDelete ? changed.asDelete() : changed.asChange()
        },
      }
    }
  }

export const findOneAndUpdate = exchange(changing('update'))
export const findOneAndReplace = exchange(changing('replacement'))
export const findOneAndDelete = exchange((out) => out.element('remove', true))

/** Report of the server on a `findAndModify`. */
class LastChange {
  #n = 0
  #isCounted = false
  #updatedExisting = false
  #upserted = false
  #document: Uint8Array | null = null
  readonly #fields = new FieldReader()
  readonly #inner = new FieldReader()

  /** @returns whether the server has done as it was asked. @throws {MalformedBson} */
  read(bytes: Buffer, start: number, end: number, keepsDocument: boolean): boolean {
    this.#n = 0
    this.#updatedExisting = this.#upserted = false
    this.#document = null
    let isOk = false
    let isWhole = true
    this.#isCounted = false
    const fields = this.#fields.open(bytes, start, end)
    while (fields.next()) {
      if (fields.is('lastErrorObject')) this.#readChange(fields)
      else if (fields.is('ok')) isOk = fields.number() === 1
      else if (fields.is('writeConcernError')) isWhole = false
      else if (keepsDocument && fields.is('value') && fields.type === bsonType.document)
        this.#document = Uint8Array.prototype.slice.call(bytes, fields.start, fields.end)
    }
    return isOk && isWhole
  }

  /** @throws {MalformedBson} where the reply that was read last does not say what was done. */
  requireCount(): void {
    if (!this.#isCounted) throw new MalformedBson('a reply to a findAndModify without a count')
  }

  // What the server reports is whether it found a document, not whether that is another one now.
  asChange(): Reply {
    const changed = this.#updatedExisting ? 1 : 0
    return {
      ...emptyReply,
      documents: this.#n,
      matched: changed,
      modified: changed,
      upserted: this.#upserted ? 1 : 0,
      document: this.#document,
    }
  }

  asDelete(): Reply {
    return { ...emptyReply, documents: this.#n, deleted: this.#n, document: this.#document }
  }

  #readChange(fields: FieldReader): void {
    const inner = this.#inner.openValueOf(fields)
    while (inner.next()) {
      if (inner.is('n')) {
        this.#n = inner.count()
        this.#isCounted = true
      } else if (inner.is('updatedExisting')) this.#updatedExisting = inner.boolean()
      else if (inner.is('upserted')) this.#upserted = true
    }
  }
}
