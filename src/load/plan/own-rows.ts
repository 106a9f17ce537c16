const minBytes = 1024

/** The row numbers that one of several units has taken: a bit for each number from the first on. */
export class OwnRows {
  readonly #first: number
  #bits = new Uint8Array(minBytes)

  /** @param first Lower numbers were there before any unit began. */
  constructor(first: number) {
    this.#first = first
  }

  add(row: number): void {
    const at = row - this.#first
    const byte = Math.floor(at / 8)
    if (byte >= this.#bits.length) this.#grow(byte)
    this.#bits[byte] = (this.#bits[byte] ?? 0) | (1 << (at % 8))
  }

  /** The highest number up to this one that is the unit's own, or that was there before. */
  upTo(row: number): number {
    let at = row - this.#first
    while (at >= 0 && ((this.#bits[Math.floor(at / 8)] ?? 0) & (1 << (at % 8))) === 0) at -= 1
    return Math.min(row, this.#first + at)
  }

  #grow(byte: number): void {
    const larger = new Uint8Array(Math.max(byte + 1, this.#bits.length * 2))
    larger.set(this.#bits)
    this.#bits = larger
  }
}
