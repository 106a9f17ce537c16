import { EJSON } from 'bson'
import { decoded } from './reads.ts'

/** More than anybody reads. */
const mostExamples = 10
const longestText = 300

/** The first examples of what is wrong. */
export class Evidence {
  readonly #texts: string[] = []

  get texts(): readonly string[] {
    return this.#texts
  }

  /** @param tell Asked for its words only where there is room for them. */
  add(tell: () => string): void {
    if (this.#texts.length >= mostExamples) return
    const text = tell()
    this.#texts.push(text.length > longestText ? `${text.slice(0, longestText)}…` : text)
  }
}

/** An id of an id table, as Extended JSON. */
export const idText = (id: Uint8Array): string => valueText(decoded(id)['_id'])

export const valueText = (value: unknown): string => EJSON.stringify(value, { relaxed: true })
