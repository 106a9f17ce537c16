import { MalformedBson } from '../../protocol/bson/malformed.ts'
import { type BsonWriter } from '../../protocol/bson/writer.ts'

/** Writes a whole number of at least 0, seven bits a byte. */
export function writeVarint(out: BsonWriter, value: number): void {
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.byte((rest % 128) | 128)
  out.byte(rest)
}

/** Reads bytes of foreign origin one after the other, and never beyond their end. */
export class ByteReader {
  readonly bytes: Buffer
  readonly end: number
  at: number

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes
    this.at = start
    this.end = end
  }

  /** The offset of the next `length` bytes, which are read. @throws {MalformedBson} where there are fewer. */
  take(length: number): number {
    const { at } = this
    if (length > this.end - at) throw new MalformedBson(`${this.end - at} bytes in the place of ${length}`)
    this.at = at + length
    return at
  }

  /** @throws {MalformedBson} where there is no safe integer. */
  varint(): number {
    let value = 0
    for (let weight = 1; weight <= 2 ** 49; weight *= 128) {
      const byte = this.bytes[this.take(1)] as number
      value += (byte & 127) * weight
      if (byte < 128 && Number.isSafeInteger(value)) return value
    }
    throw new MalformedBson('a number that is too long')
  }

  /** A text that ends with a zero. @param maxBytes What is beyond is left out. */
  zeroEnded(maxBytes: number): string {
    const end = this.bytes.indexOf(0, this.at)
    if (end < 0 || end >= this.end) throw new MalformedBson('a text without an end')
    const text = this.bytes.toString('utf8', this.at, Math.min(end, this.at + maxBytes))
    this.at = end + 1
    return text
  }
}
