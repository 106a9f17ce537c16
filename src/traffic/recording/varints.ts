import { MalformedBson } from '../../protocol/bson/malformed.ts'
import { type BsonWriter } from '../../protocol/bson/writer.ts'
import { repeatedText } from './repeated-text.ts'

/** Writes a safe integer of at least 0, seven bits per byte. */
export function writeVarint(out: BsonWriter, value: number): void {
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.byte((rest % 128) | 128)
  out.byte(rest)
}

/** Reads untrusted bytes in order, never beyond their end. */
export class ByteReader {
  readonly bytes: Buffer
  /** View of the same bytes: it reads longer numbers in one go. */
  readonly view: DataView
  readonly end: number
  at: number

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.at = start
    this.end = end
  }

  /** Skips the next `length` bytes. @returns their offset. @throws {MalformedBson} where there are fewer. */
  take(length: number): number {
    const { at } = this
    if (length > this.end - at) throw new MalformedBson(`${this.end - at} bytes instead of ${length}`)
    this.at = at + length
    return at
  }

  /** Reads a whole number. @throws {MalformedBson} where it is not a safe integer. */
  varint(): number {
    let value = 0
    for (let weight = 1; weight <= 2 ** 49; weight *= 128) {
      const byte = this.bytes[this.take(1)] as number
      value += (byte & 127) * weight
      if (byte < 128 && Number.isSafeInteger(value)) return value
    }
    throw new MalformedBson('a number that is too long')
  }

  /** Reads a text that ends with a zero byte. @param maxBytes A longer text is cut. */
  zeroEnded(maxBytes: number): string {
    let end = this.at
    while (end < this.end && this.bytes[end] !== 0) end++
    if (end >= this.end) throw new MalformedBson('a text without an end')
    const text = repeatedText(this.bytes, this.at, Math.min(end, this.at + maxBytes))
    this.at = end + 1
    return text
  }
}
