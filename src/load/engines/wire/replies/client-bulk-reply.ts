import { FieldReader } from '../../../../protocol/bson/field-reader.ts'
import { MalformedBson, bsonType } from '../../../../protocol/bson/types.ts'
import type { BulkCounts } from '../../outcomes.ts'

type Counts = { -readonly [Name in keyof BulkCounts]: number }

const countFields: Readonly<Record<string, keyof BulkCounts>> = {
  nInserted: 'insertedCount',
  nMatched: 'matchedCount',
  nModified: 'modifiedCount',
  nUpserted: 'upsertedCount',
  nDeleted: 'deletedCount',
}
const names = Object.keys(countFields)

/** The numbers in a reply to the command `bulkWrite`, or to a `getMore` of its cursor, which has none. */
export class ClientBulkReply {
  /** 0 where there is no more. */
  cursorId = 0n
  /** Whether writes were refused, or the write concern was not met: the whole reply has to be looked at. */
  hasTrouble = false
  #isOk = false
  /** Number of fields that every reply but one to a `getMore` has. */
  #counted = 0
  #hasCursor = false
  #nErrors = 0
  #counts: Counts = { insertedCount: 0, matchedCount: 0, modifiedCount: 0, upsertedCount: 0, deletedCount: 0 }
  readonly #fields = new FieldReader()
  readonly #cursor = new FieldReader()

  /** A new command is sent: its reply is not one to a `getMore`. */
  begin(): void {
    this.cursorId = 0n
  }

  /** @returns whether the server has executed the command. @throws {MalformedBson} */
  read(bytes: Buffer, start: number, end: number): boolean {
    const isMore = this.cursorId !== 0n
    this.#counts = { insertedCount: 0, matchedCount: 0, modifiedCount: 0, upsertedCount: 0, deletedCount: 0 }
    this.cursorId = 0n
    this.#isOk = this.#hasCursor = false
    this.#counted = 0
    // Batches after the first do not repeat that there were errors.
    if (!isMore) this.#nErrors = 0
    this.hasTrouble = false
    const fields = this.#fields.open(bytes, start, end)
    while (fields.next()) this.#take(fields)
    this.hasTrouble ||= this.#nErrors > 0
    if (this.#isOk && !(this.#hasCursor && (isMore || this.#counted === names.length)))
      throw new MalformedBson('a reply to a bulk write without its counts')
    return this.#isOk
  }

  addTo(counts: Counts): void {
    for (const name of Object.values(countFields)) counts[name] += this.#counts[name]
  }

  #take(fields: FieldReader): void {
    if (fields.is('ok')) this.#isOk = fields.number() === 1
    else if (fields.is('nErrors')) this.#nErrors = fields.count()
    else if (fields.is('writeConcernError')) this.hasTrouble = true
    else if (fields.is('cursor')) {
      const cursor = this.#cursor.openValueOf(fields)
      while (cursor.next()) {
        if (!cursor.is('id')) continue
        cursor.require(bsonType.int64)
        this.cursorId = cursor.bytes.readBigInt64LE(cursor.start)
        this.#hasCursor = true
      }
    } else {
      const name = names.find((one) => fields.is(one))
      if (name === undefined) return
      this.#counts[countFields[name] as keyof BulkCounts] = fields.count()
      this.#counted += 1
    }
  }
}
