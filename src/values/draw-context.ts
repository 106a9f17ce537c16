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
