import { serialize } from 'bson'

/** An id as the bytes of the document `{_id: id}`: what a server sends of a document of which nothing else is asked. */
export const idBytes = (id: unknown): Uint8Array => serialize({ _id: id })

const chunkBytes = 2 ** 20
/** Positions are kept in 32 bits. */
const maxChunks = 2 ** 12
const numbersPerBlock = 2 ** 16

/**
 * Ids one after the other, each numbered from 0. Grows without copying what is there: nothing that a timed window would
 * feel. Takes the bytes of the ids and four more for each: 18 bytes for a whole number, 26 for an ObjectId, 35 for a UUID.
 */
export class IdList {
  readonly #chunks: Uint8Array[] = []
  #used = chunkBytes
  readonly #positions: Uint32Array[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** @returns its number. */
  push(id: Uint8Array): number {
    const number = this.#size
    if (number % numbersPerBlock === 0) this.#positions.push(new Uint32Array(numbersPerBlock))
    const block = this.#positions.at(-1) as Uint32Array
    block[number % numbersPerBlock] = this.#store(id)
    this.#size += 1
    return number
  }

  /** The bytes of an id, not to be changed. */
  at(number: number): Uint8Array {
    const position = this.#positions[Math.floor(number / numbersPerBlock)]?.[number % numbersPerBlock]
    if (position === undefined || number >= this.#size) throw new RangeError(`There is no id number ${number}`)
    const chunk = this.#chunks[Math.floor(position / chunkBytes)] as Uint8Array
    const start = position % chunkBytes
    return chunk.subarray(start, start + lengthAt(chunk, start))
  }

  #store(id: Uint8Array): number {
    if (this.#used + id.length > chunkBytes) this.#open(id.length)
    const start = this.#used
    this.#chunks.at(-1)?.set(id, start)
    this.#used += id.length
    return (this.#chunks.length - 1) * chunkBytes + start
  }

  #open(bytes: number): void {
    if (bytes > chunkBytes) throw new RangeError(`An id of ${Math.round(bytes / 1e6)} MB is too long to be kept`)
    if (this.#chunks.length === maxChunks) throw new RangeError('There are more than 4 GB of ids to be kept')
    this.#chunks.push(new Uint8Array(chunkBytes))
    this.#used = 0
  }
}

/** A document of BSON begins with its length. */
export const lengthAt = (bytes: Uint8Array, start: number): number =>
  (bytes[start] ?? 0) |
  ((bytes[start + 1] ?? 0) << 8) |
  ((bytes[start + 2] ?? 0) << 16) |
  ((bytes[start + 3] ?? 0) << 24)

const minSlots = 1024

/** Ids, each once, numbered in the order in which they came. Takes at most 16 bytes more for each than a list does. */
export class IdTable {
  readonly #ids = new IdList()
  /** Numbers of ids plus one, each at the place that its bytes say or the next free one; 0 is free. At least half are free. */
  #slots = new Uint32Array(minSlots)

  get size(): number {
    return this.#ids.size
  }

  /** @returns its number: a new one, or that of the equal id that is there. */
  add(id: Uint8Array): number {
    const slot = this.#slotOf(id)
    const known = this.#slots[slot] ?? 0
    if (known > 0) return known - 1
    const number = this.#ids.push(id)
    this.#slots[slot] = number + 1
    if (this.#ids.size * 2 > this.#slots.length) this.#grow()
    return number
  }

  /** Its number, or -1 where it is not there. */
  find(id: Uint8Array): number {
    return (this.#slots[this.#slotOf(id)] ?? 0) - 1
  }

  at(number: number): Uint8Array {
    return this.#ids.at(number)
  }

  #slotOf(id: Uint8Array): number {
    const mask = this.#slots.length - 1
    let slot = computeHash(id) & mask
    for (;;) {
      const number = this.#slots[slot] ?? 0
      if (number === 0 || areEqual(this.#ids.at(number - 1), id)) return slot
      slot = (slot + 1) & mask
    }
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2)
    for (let number = 0; number < this.#ids.size; number++) this.#slots[this.#slotOf(this.#ids.at(number))] = number + 1
  }
}

/** FNV-1a, with its bits mixed: low ones choose the slot. */
function computeHash(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false
  return true
}
