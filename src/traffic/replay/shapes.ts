import { type RecordedCall } from '../recording/recorded-call.ts'
import { describeShape, hashShape } from './shape.ts'

/** A shape of commands: a row of the report. */
export type Shape = {
  /** Its name in addresses, such as "find-orders-customer". */
  readonly name: string
  /** In words, see `describeShape`. */
  readonly text: string
}

/** Shapes of more kinds are one row. */
const maxShapes = 200
const maxHashes = 20_000
const maxNameLength = 26

/** The shapes of a recording, in the order in which they first come. */
export class Shapes {
  readonly list: Shape[] = []
  readonly #byHash = new Map<number, number>()
  readonly #byText = new Map<string, number>()
  readonly #names = new Set<string>()

  /** The index of a call's shape. */
  of(call: Pick<RecordedCall, 'name' | 'database' | 'command'>): number {
    const hash = hashShape(call)
    const known = this.#byHash.get(hash)
    if (known !== undefined) return known
    const index = this.#add(this.#byHash.size < maxHashes ? describeShape(call) : others)
    if (this.#byHash.size < maxHashes) this.#byHash.set(hash, index)
    return index
  }

  #add(described: string): number {
    const text = this.list.length < maxShapes - 1 || this.#byText.has(described) ? described : others
    const known = this.#byText.get(text)
    if (known !== undefined) return known
    const index = this.list.push({ name: this.#nameOf(text), text }) - 1
    this.#byText.set(text, index)
    return index
  }

  #nameOf(text: string): string {
    const [command = '', namespace = '', ...rest] = text.split(' ')
    const words = [command, namespace.replace(/^[^.]*\./, ''), ...rest].join('-').replaceAll(/[^\w]+/g, '-')
    const short = words.slice(0, maxNameLength).replaceAll(/^-|-$/g, '')
    let name = short
    for (let number = 2; this.#names.has(name); number++) name = `${short}-${number}`
    this.#names.add(name)
    return name
  }
}

const others = 'other shapes'
