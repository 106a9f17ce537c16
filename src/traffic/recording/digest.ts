import { mix } from '../../core/random.ts'
import { int32At } from '../../protocol/bson/types.ts'

/** A digest of documents in 64 bits, independent of their order. The digests of batches add up, modulo 2^64, to the digest of all documents. */
export type Digest = {
  readonly add: (bytes: Uint8Array, start: number, end: number) => void
  readonly value: () => bigint
}

/**
 * Creates a digest of no documents. It is a sum, because a `find` without a sort returns documents in any order, and because
 * another server may end batches elsewhere. It does not resist deliberate collisions.
 */
export function createDigest(): Digest {
  let low = 0
  let high = 0
  return {
    add(bytes, start, end) {
      let one = 0x2545f491 ^ (end - start)
      let other = 0x9e3779b9
      for (let at = start; at < end; at += 4) {
        // The bytes after the end belong to something else.
        const word = at + 4 <= end ? int32At(bytes, at) : lastWord(bytes, at, end)
        one = Math.imul(rotate(one ^ Math.imul(word, 0xcc9e2d51), 13), 5) + 0x38495ab5
        other = Math.imul(rotate(other ^ Math.imul(word, 0x1b873593), 17), 9) + 0x52dce729
      }
      const sum = low + mix(one ^ Math.imul(other, 0x85ebca6b))
      low = sum >>> 0
      high = (high + mix(other ^ Math.imul(one, 0xc2b2ae35)) + (sum > low ? 1 : 0)) >>> 0
    },
    value: () => (BigInt(high) << 32n) | BigInt(low),
  }
}

/** A digest where none is wanted. */
export const noDigest: Digest = { add: () => {}, value: () => 0n }

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits))

function lastWord(bytes: Uint8Array, start: number, end: number): number {
  let word = 0
  for (let at = start; at < end; at++) word |= (bytes[at] as number) << ((at - start) * 8)
  return word
}
