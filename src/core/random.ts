/**
 * Counter-based random numbers: each depends only on the seed, the place in the spec, and the number of the document or call.
 * There is no state between draws, so workers, timing and added fields change nothing.
 */

/** The key of a place and a seed: four words of 32 bits. */
export type PlaceKey = readonly [number, number, number, number]

// A name of its own: in the sandbox of Jest, where each use of a global is looked up, draws would take a thousand times as long.
const { imul } = Math

/** The finaliser of MurmurHash3 (Austin Appleby, public domain): a bijection of 32 bits in which every bit moves every other. */
export function mix(word: number): number {
  let h = word
  h = imul(h ^ (h >>> 16), 0x85ebca6b)
  h = imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

export const mixIn = (hash: number, word: number): number => mix((imul(hash, 31) + word) | 0)

/** A 32-bit hash of a text. */
export function hashText(text: string): number {
  let hash = text.length
  for (let i = 0; i < text.length; i++) hash = mixIn(hash, text.charCodeAt(i))
  return hash
}

/** Derives the key of a place in the spec. */
export function placeKey(seed: number, place: string): PlaceKey {
  const text = hashText(place)
  const low = mixIn(mix(seed >>> 0), text)
  const high = mixIn(mix(Math.floor(seed / 2 ** 32) ^ 0x9e3779b9), hashText(`${place}\0`))
  return [low, high, mixIn(low, high), mixIn(high, text)]
}

const upperHalf = 2 ** -32

/** Computes the output of xoshiro128** from its second word. */
function scramble(word: number): number {
  const scaled = imul(word, 5)
  return imul((scaled << 7) | (scaled >>> 25), 9) >>> 0
}

const rotate = (word: number): number => (word << 11) | (word >>> 21)

/**
 * The random numbers of one place: `at(n)` moves to those of document or call number n, the other methods draw from there.
 * xoshiro128** (Blackman and Vigna, 2018), its 128 bits filled from key and number: different numbers, different states.
 */
export class Stream {
  readonly #key: PlaceKey
  #a = 0
  #b = 0
  #c = 0
  #d = 0

  constructor(key: PlaceKey) {
    this.#key = key
  }

  /** @param lane Separates several draws of one place and number, such as the elements of an array. */
  at(n: number, lane = 0): this {
    const [k0, k1, k2, k3] = this.#key
    const a = mix(k0 ^ n)
    const c = mix(a ^ k1 ^ Math.floor(n * upperHalf))
    // The first number drawn depends on this word only, so it mixes key, number and lane.
    const b = mix((c + k2 + lane) | 0)
    // Signed words, here and below: V8 keeps others as numbers on the heap, which takes more than twice the time.
    this.#a = a | 0
    this.#b = b | 0
    this.#c = c | 0
    this.#d = mix((b ^ k3) + a) | 1 | 0
    return this
  }

  uint32(): number {
    const result = scramble(this.#b)
    this.#c ^= this.#a
    this.#d ^= this.#b
    const b = this.#b
    this.#b ^= this.#c
    this.#a ^= this.#d
    this.#c ^= b << 9
    this.#d = rotate(this.#d)
    return result
  }

  /** A number in [0, 1), with all 53 bits of a double. */
  float(): number {
    // Two steps of `uint32`: the state stays in variables in between.
    const a = this.#a
    const b = this.#b
    const c = this.#c ^ a
    const d = this.#d ^ b
    const nextA = a ^ d
    const nextB = b ^ c
    const nextC = c ^ (b << 9) ^ nextA
    const nextD = rotate(d) ^ nextB
    this.#a = nextA ^ nextD
    this.#b = nextB ^ nextC
    this.#c = nextC ^ (nextB << 9)
    this.#d = rotate(nextD)
    return ((scramble(b) >>> 5) * 67108864 + (scramble(nextB) >>> 6)) * 2 ** -53
  }

  /** A whole number in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.float() * limit)
  }

  /** A whole number in [0, limit), for limits above 2^53. */
  bigBelow(limit: bigint): bigint {
    // At least 64 random bits more than the limit has, up to 192 of them: the bias is below 2^-64.
    const words = limit > 2n ** 64n ? 8 : 4
    let bits = 0n
    for (let i = 0; i < words; i++) bits = (bits << 32n) | BigInt(this.uint32())
    return bits % limit
  }
}
