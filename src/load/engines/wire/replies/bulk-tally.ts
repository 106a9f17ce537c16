import { type Document } from 'bson'
import { MongoServerError } from 'mongodb'
import { type Reply } from '../../engine.ts'
import { type BulkCounts, partOfBulk } from '../../outcomes.ts'
import { decodeReply, type WriteReply } from './write-reply.ts'

/** Kind of the writes in one command. */
export type BatchKind = 'insert' | 'update' | 'delete'

type Counts = { -readonly [Name in keyof BulkCounts]: number }

/** A write that the server refused, or a write concern that was not met. */
type Refused = { readonly code: number; readonly errmsg: string }

/** Totals of a bulk so far, over all of its commands. Its errors have the form of the driver's. */
export class BulkTally {
  readonly #order: 'ordered' | 'unordered'
  readonly #counts: Counts = { insertedCount: 0, matchedCount: 0, modifiedCount: 0, upsertedCount: 0, deletedCount: 0 }
  readonly #writeErrors: Refused[] = []

  constructor(order: 'ordered' | 'unordered') {
    this.#order = order
  }

  /**
   * Adds the reply to one of its commands.
   * @returns whether the next command is to be sent.
   * @throws where the server refuses a whole command, or a write concern is not met.
   */
  add(kind: BatchKind, reply: WriteReply, bytes: Buffer, start: number, end: number): boolean {
    const isClean = reply.read(bytes, start, end)
    if (isClean) {
      reply.requireCount()
      this.#count(kind, reply)
      return true
    }
    const decoded = decodeReply(bytes, start, end)
    if (decoded['ok'] !== 1) throw this.failedBy(new MongoServerError(decoded))
    reply.requireCount()
    this.#count(kind, reply)
    const { writeConcernError, writeErrors = [] } = decoded as Document
    this.#writeErrors.push(...(writeErrors as readonly Refused[]))
    if (writeConcernError !== undefined)
      throw new BulkFailure(writeConcernError, { counts: this.#counts, writeConcernError })
    return this.#order === 'unordered' || this.#writeErrors.length === 0
  }

  /** Returns the reply for all commands. @throws where a write was refused. */
  result(): Reply {
    const [writeError] = this.#writeErrors
    if (writeError !== undefined)
      throw new BulkFailure(writeError, { counts: this.#counts, writeErrors: this.#writeErrors })
    return partOfBulk(this.#counts)
  }

  /** An error that ended the bulk, with what had been done before it. */
  failedBy(error: Error): Error {
    return new BulkFailure({ code: 0, errmsg: error.message }, { counts: this.#counts, cause: error })
  }

  #count(kind: BatchKind, { n, nModified, upserted }: WriteReply): void {
    const counts = this.#counts
    if (kind === 'insert') counts.insertedCount += n
    else if (kind === 'delete') counts.deletedCount += n
    else {
      counts.matchedCount += n - upserted
      counts.modifiedCount += nModified
      counts.upsertedCount += upserted
    }
  }
}

type FailedBulk = {
  readonly counts: BulkCounts
  readonly writeErrors?: readonly Refused[]
  readonly writeConcernError?: Refused
  readonly cause?: Error
}

/** Equivalent of the driver's `MongoBulkWriteError`, as far as outcomes read it. */
class BulkFailure extends Error {
  override readonly name = 'MongoBulkWriteError'
  readonly code: number
  readonly errorResponse: unknown
  readonly result: BulkCounts & {
    readonly getWriteErrors: () => readonly Refused[]
    readonly getWriteConcernError: () => Refused | undefined
  }

  constructor({ code, errmsg }: Refused, { counts, writeErrors = [], writeConcernError, cause }: FailedBulk) {
    super(errmsg)
    this.code = code
    this.errorResponse = cause
    this.result = {
      ...counts,
      getWriteErrors: () => writeErrors,
      getWriteConcernError: () => writeConcernError,
    }
  }
}
