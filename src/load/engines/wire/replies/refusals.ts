import { deserialize, type Document } from 'bson'
import { MongoServerError, MongoWriteConcernError } from 'mongodb'
import { MalformedBson } from '../../../../protocol/bson/malformed.ts'

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

/** What the driver throws for arguments that it does not send. */
export const invalidArgument = (message: string): Error => namedError('MongoInvalidArgumentError', message)
