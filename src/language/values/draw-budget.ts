import { type Path } from '../../core/json.ts'
import { TooLarge } from '../invalid-part.ts'

/** BSON bytes of the largest document that the server takes. */
export const largestDocument = 16 * 1024 * 1024

/** BSON bytes of all values of one `let` together. */
export const largestLet = 4 * largestDocument

/** Cost of a draw on top of the bytes of its value. */
const costOfValue = 8

/** Thrown when the trial draws of a spec have used up their budget. */
export class OutOfBudget extends Error {}

/** Limits what trial draws may cost: validation draws values only to find out whether they can be drawn. */
export class DrawBudget {
  #left: number

  /** @param bytes BSON bytes of values; each value costs a little more than its bytes. */
  constructor(bytes: number) {
    this.#left = bytes
  }

  /** @throws {OutOfBudget} when the budget is used up. */
  spend(bytes: number = costOfValue): void {
    this.#left -= bytes
    if (this.#left < 0) throw new OutOfBudget()
  }
}

/** Stops a value that grows beyond the limit. @throws {TooLarge} */
export function keepWithin(bytes: number, path: Path, maxBytes: number = largestDocument): void {
  if (bytes > maxBytes)
    throw new TooLarge(path, `makes more than ${maxBytes} bytes of BSON; a document has at most ${largestDocument}`)
}
