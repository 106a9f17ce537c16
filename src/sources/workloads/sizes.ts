import { type Json, type JsonObject } from '../../core/json.ts'

/** Sizes that a user may want to change, and those of the profile "smoke". */
const smallest = { documents: 200, operations: 200, seconds: 1, workers: 2 }

/** Parameters of an imported spec. */
export class Sizes {
  readonly #values = new Map<string, number>()
  readonly #smoke = new Map<string, number>()

  /** A size as a parameter, which equal sizes of a kind share. */
  use(kind: keyof typeof smallest, value: number): Json {
    let name: string = kind
    for (let n = 2; !Object.is(this.#values.get(name) ?? value, value); n++) name = `${kind}${n}`
    this.#values.set(name, value)
    this.#smoke.set(name, Math.min(value, smallest[kind]))
    return { '@param': name }
  }

  json(): JsonObject {
    if (this.#values.size === 0) return {}
    return { parameters: Object.fromEntries(this.#values), profiles: { smoke: Object.fromEntries(this.#smoke) } }
  }
}
