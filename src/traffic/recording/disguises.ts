import { createHash, randomBytes } from 'node:crypto'

/** A way to replace values in place by others of the same type and length. */
export type Disguise = {
  /** Overwrites bytes. */
  readonly bytes: (value: Buffer) => void
  /** Overwrites a text with letters. */
  readonly text: (value: Buffer) => void
  /** @param magnitude At least 2, below 2^63. */
  readonly whole: (magnitude: bigint) => bigint
  /** @param mantissa The 52 bits behind the exponent. */
  readonly fraction: (mantissa: bigint) => bigint
}

/** Keeps nothing but type and length. */
export const shapeDisguise: Disguise = {
  bytes: (value) => void value.fill(0),
  text: (value) => void value.fill('x'),
  whole: () => 1n,
  fraction: () => 0n,
}

/**
 * Equal values stay equal, and numbers keep their power of two: within it they are permuted. The salt is not stored, so no one
 * can find values by trying them out. It is not encryption: someone who knows some values may find out others.
 */
export function createHashDisguise(salt: Buffer = randomBytes(16)): Disguise {
  const hash = (value: Uint8Array | string): Buffer => createHash('sha256').update(salt).update(value).digest()
  const permutations = new Map<number, (low: bigint) => bigint>()

  function permutationOf(bits: number): (low: bigint) => bigint {
    const known = permutations.get(bits)
    if (known !== undefined) return known
    const drawn = hash(`${bits} bits`)
    const factor = drawn.readBigUInt64LE(0) | 1n
    const offset = drawn.readBigUInt64LE(8)
    const permute = (low: bigint): bigint => BigInt.asUintN(bits, low * factor + offset)
    permutations.set(bits, permute)
    return permute
  }

  return {
    bytes: (value) => void value.fill(hash(value)),
    text: (value) => void value.fill(hash(value).toString('base64url')),
    whole(magnitude) {
      const bits = magnitude.toString(2).length - 1
      const top = 1n << BigInt(bits)
      return top | permutationOf(bits)(magnitude - top)
    },
    fraction: (mantissa) => permutationOf(52)(mantissa),
  }
}
