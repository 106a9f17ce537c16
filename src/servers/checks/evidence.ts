import { EJSON } from 'bson'
import { decoded } from './reads.ts'

/** More than anybody reads. */
const maxExamples = 10
const maxText = 300

/** The first examples of what is wrong. */
export class Evidence {
  readonly #texts: string[] = []

  get texts(): readonly string[] {
    return this.#texts
  }

  /** @param describe Called only where there is room for its text. */
  add(describe: () => string): void {
    if (this.#texts.length >= maxExamples) return
    const text = describe()
    this.#texts.push(text.length > maxText ? `${text.slice(0, maxText)}…` : text)
  }
}

/** An id of an id table, as Extended JSON. */
export const idText = (id: Uint8Array): string => valueText(decoded(id)['_id'])

/** Returns a BSON value as relaxed Extended JSON. */
export const valueText = (value: unknown): string => EJSON.stringify(value, { relaxed: true })
