import { int32At } from '../../../protocol/bson/types.ts'

/** The bytes of a file, of which any number is asked for at a time, and no more are kept. */
export class ByteStream {
  readonly #chunks: AsyncGenerator<Buffer, void>
  /** Bytes of the file in front of `bytes`. */
  #before = 0
  bytes: Buffer = Buffer.alloc(0)
  /** Place of the next byte in `bytes`. */
  at = 0

  constructor(chunks: AsyncGenerator<Buffer, void>) {
    this.#chunks = chunks
  }

  /** Place of the next byte in the file. */
  get offset(): number {
    return this.#before + this.at
  }

  get left(): number {
    return this.bytes.length - this.at
  }

  /** The int32 that comes next; it must be there. */
  int32(): number {
    return int32At(this.bytes, this.at)
  }

  /** Reads on until a number of bytes is there. @returns whether the file has them. */
  async need(length: number): Promise<boolean> {
    if (this.left >= length) return true
    const parts: Buffer[] = [this.bytes.subarray(this.at)]
    for (let there = this.left; there < length;) {
      const { value, done } = await this.#chunks.next()
      if (done === true) break
      parts.push(value)
      there += value.length
    }
    this.#before += this.at
    this.at = 0
    this.bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    return this.left >= length
  }

  close(): Promise<unknown> {
    return this.#chunks.return()
  }
}
