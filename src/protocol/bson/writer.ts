import { Binary, Decimal128, Double, ObjectId, serialize } from 'bson'
import { EncodedValue } from './encoded.ts'
import { bsonType } from './types.ts'

const firstBytes = 64 * 1024
/** Letters of texts up to this length are written one by one, which is quicker than a call into native code. */
const shortText = 32

/**
 * Writes BSON into a buffer that grows as needed. Writing a value returns its type, because the type precedes the
 * key, and is not known before a value is drawn.
 */
export class BsonWriter {
  #bytes: Buffer
  #view: DataView
  /** Offset of the next byte to write. */
  at = 0

  /** @param size In bytes, at first. Default 64 KiB; memory that is not written to costs nothing. */
  constructor(size = firstBytes) {
    this.#bytes = Buffer.allocUnsafeSlow(size)
    this.#view = toDataView(this.#bytes)
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  /** View of the same bytes: writes whole words, also where they are not aligned. */
  get view(): DataView {
    return this.#view
  }

  /** Returns its buffer, and goes on with another one. @param next Default: a new one of the same size. */
  replaceBuffer(next: Buffer = Buffer.allocUnsafeSlow(this.#bytes.length)): Buffer {
    const last = this.#bytes
    this.#bytes = next
    this.#view = toDataView(next)
    return last
  }

  /** Makes room for a number of bytes behind `at`. */
  reserve(length: number): void {
    if (this.at + length > this.bytes.length) this.#grow(this.at + length)
  }

  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.at++] = value
  }

  int32(value: number): void {
    this.reserve(4)
    this.view.setInt32(this.at, value, true)
    this.at += 4
  }

  /** A whole number of at most 2^53, as an int64. */
  wholeInt64(value: number): void {
    this.reserve(8)
    this.view.setInt32(this.at, value, true)
    this.view.setInt32(this.at + 4, Math.floor(value / 4294967296), true)
    this.at += 8
  }

  bigInt64(value: bigint): void {
    this.reserve(8)
    this.view.setBigInt64(this.at, value, true)
    this.at += 8
  }

  double(value: number): void {
    this.reserve(8)
    this.view.setFloat64(this.at, value, true)
    this.at += 8
  }

  /** Copies bytes, by default all of them. */
  copy(source: Uint8Array, from = 0, to = source.length): void {
    const length = to - from
    this.reserve(length)
    const { bytes, at } = this
    if (length <= shortText) for (let i = 0; i < length; i++) bytes[at + i] = source[from + i] as number
    else bytes.set(length === source.length ? source : source.subarray(from, to), at)
    this.at = at + length
  }

  /** A text as a value: its length, its letters in UTF-8, a zero. */
  text(value: string): void {
    const start = this.at
    this.reserve(4 + value.length * 3 + 1)
    this.at += 4
    this.#letters(value)
    this.bytes[this.at++] = 0
    this.int32At(start, this.at - start - 4)
  }

  /** A text without its length, ended by a zero, such as a key. */
  zeroEnded(value: string): void {
    this.reserve(value.length * 3 + 1)
    this.#letters(value)
    this.bytes[this.at++] = 0
  }

  int32At(at: number, value: number): void {
    this.view.setInt32(at, value, true)
  }

  /** Begins a document or array. @returns what `endDocument` needs. */
  beginDocument(): number {
    this.reserve(4)
    this.at += 4
    return this.at - 4
  }

  endDocument(start: number): void {
    this.byte(0)
    this.int32At(start, this.at - start)
  }

  /** A field: the type, the key, the value. */
  element(key: string, value: unknown): void {
    const typeAt = this.beginElement(key)
    const type = this.value(value)
    // Only now: writing the value may have moved the bytes.
    this.bytes[typeAt] = type
  }

  /** The key of a field whose value is written next. @returns where its type belongs. */
  beginElement(key: string): number {
    const typeAt = this.at
    this.byte(0)
    this.zeroEnded(key)
    return typeAt
  }

  /** The key of an element of an array whose value is written next. @returns where its type belongs. */
  beginItem(index: number): number {
    if (index > 9) return this.beginElement(String(index))
    this.reserve(3)
    const { bytes, at } = this
    bytes[at + 1] = 0x30 + index
    bytes[at + 2] = 0
    this.at = at + 3
    return at
  }

  /** Any value, as the `bson` library serializes it. @returns its type. */
  value(value: unknown): number {
    switch (typeof value) {
      case 'number':
        return this.#number(value)
      case 'string':
        this.text(value)
        return bsonType.string
      case 'boolean':
        this.byte(value ? 1 : 0)
        return bsonType.boolean
      case 'bigint':
        this.bigInt64(value)
        return bsonType.int64
      case 'object':
        return value === null ? bsonType.null : this.#object(value)
      default:
        return this.#rare(value)
    }
  }

  #number(value: number): number {
    if ((value | 0) === value && !Object.is(value, -0)) {
      this.int32(value)
      return bsonType.int32
    }
    this.double(value)
    return bsonType.double
  }

  #object(value: object): number {
    if (Array.isArray(value)) return this.#array(value)
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === Object.prototype || prototype === null) return this.document(value)
    if (value instanceof EncodedValue) return this.#encoded(value)
    if (value instanceof Date) {
      this.wholeInt64(value.getTime())
      return bsonType.date
    }
    if (value instanceof ObjectId) {
      this.copy(value.id)
      return bsonType.objectId
    }
    if (value instanceof Double) {
      this.double(value.value)
      return bsonType.double
    }
    if (value instanceof Decimal128) {
      this.copy(value.bytes)
      return bsonType.decimal128
    }
    if (value instanceof Binary && value.sub_type !== Binary.SUBTYPE_BYTE_ARRAY) return this.#binary(value)
    return this.#rare(value)
  }

  #encoded({ type, writer, start, end }: EncodedValue): number {
    this.copy(writer.bytes, start, end)
    return type
  }

  /** A document from its fields. @returns its type. */
  document(value: object): number {
    const start = this.beginDocument()
    for (const key in value) this.element(key, (value as Record<string, unknown>)[key])
    this.endDocument(start)
    return bsonType.document
  }

  #array(items: readonly unknown[]): number {
    const start = this.beginDocument()
    for (let i = 0; i < items.length; i++) {
      const typeAt = this.beginItem(i)
      const type = this.value(items[i])
      this.bytes[typeAt] = type
    }
    this.endDocument(start)
    return bsonType.array
  }

  #binary(value: Binary): number {
    this.int32(value.position)
    this.byte(value.sub_type)
    this.copy(value.buffer, 0, value.position)
    return bsonType.binary
  }

  /** Types that hardly any document has: the library writes them, into a document of their own. */
  #rare(value: unknown): number {
    const whole = serialize({ '': value }, { ignoreUndefined: false, serializeFunctions: false })
    // Behind the length a type and an empty key, before the end the value.
    if (whole.length < 7) return bsonType.null
    this.copy(whole, 6, whole.length - 1)
    return whole[4] as number
  }

  #letters(value: string): void {
    if (value.length > shortText) {
      this.at += this.bytes.write(value, this.at, 'utf8')
      return
    }
    const { bytes, at } = this
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i)
      if (code > 0x7f) {
        this.at = at + bytes.write(value, at, 'utf8')
        return
      }
      bytes[at + i] = code
    }
    this.at = at + value.length
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(length, this.bytes.length * 2))
    this.bytes.copy(larger, 0, 0, this.at)
    this.#bytes = larger
    this.#view = toDataView(larger)
  }
}

const toDataView = ({ buffer, byteOffset, byteLength }: Buffer): DataView =>
  new DataView(buffer, byteOffset, byteLength)
