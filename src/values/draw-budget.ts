import { type Path } from '../json.ts'
import { TooLarge } from '../language/too-large.ts'

/** BSON bytes of the largest document that the server takes. */
export const largestDocument = 16 * 1024 * 1024

/** BSON bytes of all values of one `let` together. */
export const largestLet = 4 * largestDocument

/** What making a value costs beside its bytes. */
const costOfValue = 8

/** Thrown where trying the values of a spec has cost enough. */
export class OutOfBudget extends Error {}

/** What trying values may cost: they are only made to see whether they can be. */
export class DrawBudget {
  #left: number

  /** @param bytes BSON bytes of values; each value counts a little more. */
  constructor(bytes: number) {
    this.#left = bytes
  }

  /** @throws {OutOfBudget} when nothing is left. */
  spend(bytes: number = costOfValue): void {
    this.#left -= bytes
    if (this.#left < 0) throw new OutOfBudget()
  }
}

/** @throws {TooLarge} for what is larger than any document: it ends while it grows. */
export function keepWithin(bytes: number, path: Path, most: number = largestDocument): void {
  if (bytes > most)
    throw new TooLarge(path, `makes more than ${most} bytes of BSON; a document has at most ${largestDocument}`)
}
