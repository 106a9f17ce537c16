import { type Document, deserialize } from 'bson'
import { MongoServerError, MongoWriteConcernError } from 'mongodb'
import { FieldReader } from '../../../../protocol/bson/field-reader.ts'
import { MalformedBson, bsonType } from '../../../../protocol/bson/types.ts'

/** The numbers in the reply to a write. One object is used again for every reply. */
export class WriteReply {
  n = 0
  nModified = 0
  /** Number of documents that were inserted because none matched. */
  upserted = 0
  #ok = false
  #isCounted = false
  #isClean = true
  readonly #fields = new FieldReader()
  readonly #items = new FieldReader()

  /** Reads the numbers. @returns whether all that was asked for was done. @throws {MalformedBson} */
  read(bytes: Buffer, start: number, end: number): boolean {
    this.n = this.nModified = this.upserted = 0
    this.#ok = this.#isCounted = false
    this.#isClean = true
    const fields = this.#fields.open(bytes, start, end)
    while (fields.next()) this.#take(fields)
    return this.#ok && this.#isClean
  }

  #take(fields: FieldReader): void {
    if (fields.is('n')) {
      this.n = fields.count()
      this.#isCounted = true
    } else if (fields.is('ok')) this.#ok = fields.number() === 1
    else if (fields.is('nModified')) this.nModified = fields.count()
    else if (fields.is('upserted')) {
      const items = this.#items.openValueOf(fields, bsonType.array)
      while (items.next()) this.upserted += 1
    } else if (fields.is('writeErrors') || fields.is('writeConcernError')) this.#isClean = false
  }

  /** @throws {MalformedBson} where the reply that was read last says nothing of how many documents it is about. */
  requireCount(): void {
    if (!this.#isCounted || this.upserted > this.n) throw new MalformedBson('a reply to a write without a count')
  }

  /** @throws what the server refused, unless all was done. */
  require(bytes: Buffer, start: number, end: number): this {
    if (!this.read(bytes, start, end)) throw createReplyError(decodeReply(bytes, start, end))
    return this
  }
}

/**
 * A whole reply as a document. Only for replies that are looked at once in a while, such as errors.
 * @throws {MalformedBson} where it cannot be read.
 */
export function decodeReply(bytes: Buffer, start: number, end: number): Document {
  const reply = decode(bytes.subarray(start, end))
  if (typeof reply['ok'] !== 'number') throw new MalformedBson('a reply without the number "ok"')
  return reply
}

function decode(bytes: Buffer): Document {
  try {
    // A copy: binary values share the bytes, which are overwritten by the next reply.
    return deserialize(Buffer.from(bytes))
  } catch (error) {
    throw new MalformedBson(`a document that is not BSON (${error instanceof Error ? error.message : String(error)})`)
  }
}

/** An error of the driver for a reply that says that something was not done. Of several reasons the first, as the driver has it. */
export function createReplyError(reply: Document): Error {
  if (reply['ok'] !== 1) return new MongoServerError(reply)
  if (reply['writeConcernError'] !== undefined) return new MongoWriteConcernError(reply as never)
  const [first]: readonly Document[] = reply['writeErrors'] ?? []
  return new MongoServerError(first ?? reply)
}

/** An error that goes by its name, as all of the driver's do. */
export const namedError = (name: string, message: string): Error => Object.assign(new Error(message), { name })

/** Creates the error that the driver throws for arguments that it does not send. */
export const invalidArgument = (message: string): Error => namedError('MongoInvalidArgumentError', message)
