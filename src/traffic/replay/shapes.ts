import { type Shape, findShape } from '../../protocol/bson/command-shape.ts'
import { type RecordedCall } from '../recording/recorded-call.ts'
import { hashShape } from './hash-shape.ts'

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
