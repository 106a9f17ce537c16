import { MalformedBson, bsonType, endOfValue, int32At } from './types.ts'

/**
 * Goes through the fields of a document and decodes nothing that is not asked for. One object is used again for any number of
 * documents; the numbers are those of the field that `next` has gone to.
 */
export class FieldReader {
  bytes: Buffer
  type = 0
  /** Range of the value: its first byte, and the one after its last. */
  start = 0
  end = 0
  #key = 0
  #documentEnd = 0
  #inner: FieldReader | undefined

  constructor() {
    this.bytes = Buffer.alloc(0)
  }

  /**
   * @param limit Where the bytes end that the document may lie in.
   * @throws {MalformedBson} where it does not fit into them.
   */
  open(bytes: Buffer, start: number, limit: number): this {
    const length = limit - start >= 5 ? int32At(bytes, start) : 0
    if (length < 5 || start + length > limit || bytes[start + length - 1] !== 0)
      throw new MalformedBson(`a document of ${length} bytes`)
    this.bytes = bytes
    this.#documentEnd = start + length - 1
    this.end = start + 4
    return this
  }

  /**
   * Opens the document that another reader stands at.
   * @param type Array: it must be one.
   * @throws {MalformedBson} where it is something else.
   */
  openValueOf(other: FieldReader, type: number = bsonType.document): this {
    other.require(type)
    return this.open(other.bytes, other.start, other.end)
  }

  /** Opens the document or array that this reader stands at. There is one reader for each depth, which is used again. */
  inner(): FieldReader {
    return (this.#inner ??= new FieldReader()).open(this.bytes, this.start, this.end)
  }

  /** @throws {MalformedBson} where the value is of another type. */
  require(type: number): void {
    if (this.type !== type) throw new MalformedBson(`a value of type ${this.type} instead of type ${type}`)
  }

  /** @returns whether there is one more field. @throws {MalformedBson} where it does not end in its document. */
  next(): boolean {
    const { bytes } = this
    const documentEnd = this.#documentEnd
    let at = this.end
    if (at >= documentEnd) return false
    this.type = bytes[at] as number
    this.#key = ++at
    while (bytes[at] !== 0 && at < documentEnd) at++
    this.start = at + 1
    this.end = endOfValue(bytes, this.type, this.start)
    if (!(this.end >= this.start && this.end <= documentEnd))
      throw new MalformedBson(`a field of type ${this.type} that does not end in its document`)
    return true
  }

  /** Offset of the beginning of the field: its type. */
  get fieldStart(): number {
    return this.#key - 1
  }

  /** @param maxBytes What is beyond is left out. Default: nothing. */
  key(maxBytes = Infinity): string {
    return this.bytes.toString('utf8', this.#key, Math.min(this.start - 1, this.#key + maxBytes))
  }

  /** @param name In ASCII. */
  is(name: string): boolean {
    const { bytes } = this
    const from = this.#key
    const { length } = name
    if (this.start - 1 - from !== length) return false
    for (let i = 0; i < length; i++) if (bytes[from + i] !== name.charCodeAt(i)) return false
    return true
  }

  /** A number of any type, as one of JavaScript. 0 where it is none. */
  number(): number {
    switch (this.type) {
      case bsonType.int32:
        return int32At(this.bytes, this.start)
      case bsonType.double:
        return this.bytes.readDoubleLE(this.start)
      case bsonType.int64:
        return this.bytes.readInt32LE(this.start + 4) * 4294967296 + this.bytes.readUInt32LE(this.start)
      default:
        return 0
    }
  }

  /** The number of a count. @throws {MalformedBson} where it is none. */
  count(): number {
    const count = this.number()
    if (!(Number.isSafeInteger(count) && count >= 0) || !isNumber(this.type))
      throw new MalformedBson(`a value of type ${this.type} instead of a count`)
    return count
  }

  boolean(): boolean {
    return this.type === bsonType.boolean && this.bytes[this.start] === 1
  }

  /** The text of a string. @param maxBytes What is beyond is left out. Default: nothing. */
  text(maxBytes = Infinity): string {
    if (this.type !== bsonType.string) return ''
    return this.bytes.toString('utf8', this.start + 4, Math.min(this.end - 1, this.start + 4 + maxBytes))
  }
}

const isNumber = (type: number): boolean =>
  type === bsonType.int32 || type === bsonType.double || type === bsonType.int64
