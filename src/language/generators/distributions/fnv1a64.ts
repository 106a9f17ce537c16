/** The offset basis 0xcbf29ce484222325 in two halves, as int32. */
const basisHigh = 0xcbf29ce4 | 0
const basisLow = 0x84222325 | 0
/** The prime is 2^40 + this. */
const primeLow = 0x1b3

const half = 2 ** 32
/** Up to this count, a remainder shifted by 16 bits is exact as a double. */
const largestQuickCount = 2 ** 37

/**
 * The 64-bit hash FNV-1a (Fowler, Noll and Vo; draft-eastlake-fnv), kept in two int32 values: exact, without a bigint per draw.
 * One object is reused for all hashes of a place.
 */
export class Fnv1a64 {
  #high = basisHigh
  #low = basisLow

  reset(): this {
    this.#high = basisHigh
    this.#low = basisLow
    return this
  }

  add(octet: number): this {
    const low = this.#low ^ octet
    // Multiplies the low half by the prime's low part in steps of 16 bits: 32-bit integers are fastest.
    const lower = (low & 0xffff) * primeLow
    const upper = (low >>> 16) * primeLow + (lower >>> 16)
    // The prime's 2^40 shifts the low half so far that only 24 bits stay, in the high half.
    this.#high = (Math.imul(this.#high, primeLow) + (upper >>> 16) + (low << 8)) | 0
    this.#low = (upper << 16) | (lower & 0xffff)
    return this
  }

  /** Hash of a whole number in [0, 2^53) as eight octets, the lowest first. */
  ofNumber(n: number): this {
    this.reset()
    this.#addWord(n | 0)
    this.#addWord((n / half) | 0)
    return this
  }

  /** Hash of a number of 64 bits as eight octets, the lowest first; one below 0 by its two's complement. */
  ofInt64(n: bigint): this {
    this.reset()
    this.#addWord(Number(BigInt.asIntN(32, n)))
    this.#addWord(Number(BigInt.asIntN(32, n >> 32n)))
    return this
  }

  #addWord(word: number): void {
    for (let shift = 0; shift < 32; shift += 8) this.add((word >>> shift) & 0xff)
  }

  /** All 64 bits, unsigned. */
  value(): bigint {
    return together(this.#high, this.#low)
  }

  /** The absolute value of the hash as a signed number, modulo the count: Java's `Math.abs(hash) % count`. */
  magnitudeModulo(count: number): number {
    const isNegative = this.#high < 0
    const low = isNegative ? -this.#low : this.#low
    const high = isNegative ? ~this.#high + (low === 0 ? 1 : 0) : this.#high
    if (count > largestQuickCount) return Number(together(high, low) % BigInt(count))
    let rest = (high >>> 0) % count
    rest = (rest * 65536 + ((low >>> 16) & 0xffff)) % count
    return (rest * 65536 + (low & 0xffff)) % count
  }
}

const together = (high: number, low: number): bigint => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
