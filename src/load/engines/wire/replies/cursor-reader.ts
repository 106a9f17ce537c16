import { FieldReader } from '../../../../protocol/bson/field-reader.ts'
import { MalformedBson, bsonType, int64At } from '../../../../protocol/bson/types.ts'
import { type Reply, emptyReply } from '../../engine.ts'

const minDocumentBytes = 5

/** Reads the batches of a cursor and counts what is in them. One object is used again for every call of an operation. */
export class CursorReader {
  /** Documents in all batches so far. */
  documents = 0
  /** ID of the open cursor; 0 where the server has closed it, because there is no more. */
  id = 0n
  /** Namespace that the open cursor reads, by the server. */
  collection = ''
  /** Whether the reply that was read last had a batch. */
  #hasBatch = false
  #bytes = 0
  #first: Uint8Array | null = null
  #keepsFirst = false
  readonly #fields = new FieldReader()
  readonly #cursor = new FieldReader()
  readonly #batch = new FieldReader()

  /** Begins a new cursor. @param keepsFirst Whether its first document is kept. */
  begin(keepsFirst: boolean): void {
    this.documents = 0
    this.#bytes = 0
    this.#first = null
    this.#keepsFirst = keepsFirst
  }

  /** @returns whether the server has done as it was asked. @throws {MalformedBson} */
  read(bytes: Buffer, start: number, end: number): boolean {
    const fields = this.#fields.open(bytes, start, end)
    let isOk = false
    let isWhole = true
    this.id = 0n
    this.#hasBatch = false
    while (fields.next()) {
      if (fields.is('cursor')) this.#readCursor(fields)
      else if (fields.is('ok')) isOk = fields.number() === 1
      else if (fields.is('writeConcernError')) isWhole = false
    }
    return isOk && isWhole
  }

  /** @throws {MalformedBson} where the reply that was read last had no batch. */
  requireBatch(): void {
    if (!this.#hasBatch) throw new MalformedBson('a reply without a batch')
  }

  reply(): Reply {
    return { ...emptyReply, documents: this.documents, bytes: this.#bytes, document: this.#first }
  }

  #readCursor(fields: FieldReader): void {
    const cursor = this.#cursor.openValueOf(fields)
    while (cursor.next()) {
      if (cursor.is('firstBatch') || cursor.is('nextBatch')) this.#readBatch(cursor)
      else if (cursor.is('id')) {
        cursor.require(bsonType.int64)
        this.id = int64At(cursor.bytes, cursor.start)
        // Behind it, as servers send it.
      } else if (this.id !== 0n && cursor.is('ns')) this.collection = cursor.text().replace(/^[^.]*\./, '')
    }
  }

  #readBatch(cursor: FieldReader): void {
    const batch = this.#batch.openValueOf(cursor, bsonType.array)
    this.#hasBatch = true
    while (batch.next()) {
      batch.require(bsonType.document)
      if (batch.end - batch.start < minDocumentBytes) throw new MalformedBson('a document without a length')
      this.documents += 1
      this.#bytes += batch.end - batch.start
      if (this.#keepsFirst && this.#first === null)
        this.#first = Uint8Array.prototype.slice.call(batch.bytes, batch.start, batch.end)
    }
  }
}
