import { type Path } from '../../core/json.ts'
import { type BsonWriter } from '../../protocol/bson/writer.ts'
import { TooLarge } from '../issues.ts'

/**
 * The document or call that a value is drawn for. One object is reused for all calls of a phase: drawing a value reads its
 * numbers, and adds to its bytes and its hash.
 */
export type DrawContext = {
  /** Number of the document (in a data set) or of the call (in an operation), from 0. */
  n: number
  /** Number of the call in its pass, counted over all operations. */
  call: number
  /** Differs for each element of an array: they share a place and a number. */
  lane: number
  /** BSON bytes of the values drawn so far, without their keys. */
  bytes: number
  /** Hash of what was drawn so far. */
  hash: number
  /** Values of `@var`, by slot. */
  readonly variables: unknown[]
}

/** A context at number 0 with nothing drawn. */
export const createDrawContext = (): DrawContext => ({ n: 0, call: 0, lane: 0, bytes: 0, hash: 0, variables: [] })

/** Draws a value, and adds its BSON bytes (without its key) to the context. */
export type Draw<Value = unknown> = (drawContext: DrawContext) => Value

/**
 * Draws a value and writes it, behind its key, which the caller has written. It adds to the hash as `Draw` does. What it adds
 * to the bytes of the context has no meaning: whoever writes a value measures how far `out.at` has moved.
 * @returns its BSON type.
 */
export type Write = (drawContext: DrawContext, out: BsonWriter) => number

/** A value compiled for both engines: an object of JavaScript, or BSON written where a message is built. Both draw the same numbers. */
export type CompiledValue = { readonly draw: Draw; readonly write: Write }

/** Writes what a draw makes: for values that are as fast to make as to write, or hardly ever written. */
export const writeDrawn =
  (draw: Draw): Write =>
  (drawContext, out) =>
    out.value(draw(drawContext))

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
    throw new TooLarge(path, `makes more than ${maxBytes / 1024 / 1024} MB of BSON; a document has at most 16`)
}
