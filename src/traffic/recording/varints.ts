import { MalformedBson } from '../../protocol/bson/types.ts'
import type { BsonWriter } from '../../protocol/bson/writer.ts'

const places = 1024
const known = Array.from({ length: places }, () => '')

/** A text in UTF-8. Names of commands and databases repeat: to find one again costs less than to make it, and it is the same string. */
export function repeatedText(bytes: Buffer, start: number, end: number): string {
  let hash = 0
  let all = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    hash = Math.imul(hash, 31) + byte
    all |= byte
  }
  // Of others, letters and bytes are not the same.
  const isAscii = all < 128
  const place = hash & (places - 1)
  const text = known[place] as string
  if (isAscii && hasLetters(bytes, start, end, text)) return text
  const made = bytes.toString('utf8', start, end)
  if (isAscii) known[place] = made
  return made
}

function hasLetters(bytes: Buffer, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false
  return true
}

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
