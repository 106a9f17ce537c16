/** The polynomial of ECMA-182, its bits in reverse, in halves. */
const [polynomialHigh, polynomialLow] = [0xc96c5795, 0xd7870f42]

const [high, low] = [new Int32Array(256), new Int32Array(256)]
for (let byte = 0; byte < 256; byte++) {
  let [h, l] = [0, byte]
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = (l & 1) === 1
    l = (l >>> 1) | (h << 31)
    h >>>= 1
    if (isOdd) [h, l] = [h ^ polynomialHigh, l ^ polynomialLow]
  }
  high[byte] = h
  low[byte] = l
}

/** The checksum of an archive of mongodump: CRC-64 of ECMA-182, in halves because a bigint for each byte costs too much. */
export class Crc64 {
  #high = -1
  #low = -1

  add(bytes: Uint8Array, start: number, end: number): void {
    let [h, l] = [this.#high, this.#low]
    for (let i = start; i < end; i++) {
      const index = (l ^ (bytes[i] as number)) & 0xff
      l = ((l >>> 8) | (h << 24)) ^ (low[index] as number)
      h = (h >>> 8) ^ (high[index] as number)
    }
    this.#high = h
    this.#low = l
  }

  /** The checksum of what has been added, as the int64 in which archives have it. */
  value(): bigint {
    return BigInt.asIntN(64, (BigInt(~this.#high >>> 0) << 32n) | BigInt(~this.#low >>> 0))
  }
}
