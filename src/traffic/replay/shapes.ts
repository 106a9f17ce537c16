import { type Shape, besides, findShape } from '../../protocol/bson/command-shape.ts'
import { behindZero, bsonType, endOfValue, int32At } from '../../protocol/bson/types.ts'
import type { RecordedCall } from '../recording/recorded-call.ts'

const basis = 0x811c9dc5
const mix = (hash: number, word: number): number => Math.imul(hash ^ word, 0x01000193)
/** Hashes of keys whose values are in no shape. */
const leftOut: ReadonlySet<number> = new Set(Array.from(besides, hashText))
const collection = hashText('collection')

/** A number that only calls of one shape share, see `findShape`, but for chance: to find it again costs a tenth of describing it. */
export function hashShape({ database, command }: Pick<RecordedCall, 'database' | 'command'>): number {
  let hash = hashText(database)
  for (let at = 4; at < command.length - 1;) {
    const type = command[at] as number
    const start = behindZero(command, at + 1)
    const key = hashBytes(basis, command, at + 1, start - 1)
    const end = endOfValue(command, type, start)
    const isTarget = type === bsonType.string && (at === 4 || key === collection)
    if (isTarget) hash = hashBytes(mix(hash, key), command, start, end)
    else if (!leftOut.has(key)) hash = hashValue(mix(hash, key), type, command, start)
    at = end
  }
  return hash >>> 0
}

/** Mixes in what a shape has of a value. Items of a list, whose keys are their positions, count once where they follow each other. */
function hashValue(hash: number, type: number, bytes: Buffer, value: number): number {
  let mixed = mix(hash, type)
  if (type !== bsonType.document && type !== bsonType.array) return mixed
  const documentEnd = value + int32At(bytes, value) - 1
  for (let at = value + 4, last = 0; at < documentEnd;) {
    const inner = bytes[at] as number
    const start = behindZero(bytes, at + 1)
    if (type === bsonType.document) mixed = hashValue(hashBytes(mixed, bytes, at + 1, start), inner, bytes, start)
    else {
      const item = hashValue(basis, inner, bytes, start)
      if (item !== last) mixed = mix(mixed, (last = item))
    }
    at = endOfValue(bytes, inner, start)
  }
  return mix(mixed, 0x5d)
}

function hashBytes(hash: number, bytes: Buffer, start: number, end: number): number {
  let mixed = hash
  for (let at = start; at < end; at++) mixed = mix(mixed, bytes[at] as number)
  return mixed
}

function hashText(text: string): number {
  let mixed = basis
  for (let i = 0; i < text.length; i++) mixed = mix(mixed, text.charCodeAt(i))
  return mixed
}

/** Shapes beyond this number are one row of a report: keys may be data. */
const maxShapes = 200
const maxHashes = 20_000
/** So that a report has its latencies beside them at 80 columns. */
const maxNameLength = 22
const others: Shape = { name: 'other shapes', text: 'other shapes' }

/** The shapes of a recording, at first in the order in which they come: the operations of its replay. */
export class Shapes {
  /** Each name is another one, and can be used in addresses: "find-orders-customer". */
  readonly list: Shape[] = []
  readonly #byHash = new Map<number, number>()
  readonly #byText = new Map<string, number>()
  readonly #names = new Set<string>()

  /** The index of a call's shape. */
  of(call: RecordedCall): number {
    const hash = hashShape(call)
    const known = this.#byHash.get(hash)
    if (known !== undefined) return known
    const isKept = this.#byHash.size < maxHashes
    const index = this.#add(isKept ? findShape(call) : others)
    if (isKept) this.#byHash.set(hash, index)
    return index
  }

  /** Puts the shapes into another order. @param order For each place the index that its shape had. */
  reorder(order: readonly number[]): void {
    const places = new Map(order.map((index, place) => [index, place]))
    const placeOf = (index: number): number => places.get(index) ?? index
    this.list.splice(0, Infinity, ...order.flatMap((index) => this.list[index] ?? []))
    for (const [hash, index] of this.#byHash) this.#byHash.set(hash, placeOf(index))
    for (const [text, index] of this.#byText) this.#byText.set(text, placeOf(index))
  }

  #add(found: Shape): number {
    const known = this.#byText.get(found.text)
    if (known !== undefined) return known
    if (this.list.length >= maxShapes - 1 && found !== others) return this.#add(others)
    const index = this.list.push({ name: this.#nameFrom(found.name), text: found.text }) - 1
    this.#byText.set(found.text, index)
    return index
  }

  #nameFrom(words: string): string {
    const short = words
      .replaceAll(/[^\w]+/g, '-')
      .slice(0, maxNameLength)
      .replaceAll(/^-|-$/g, '')
    let name = short
    for (let number = 2; this.#names.has(name); number++) name = `${short}-${number}`
    this.#names.add(name)
    return name
  }
}
