/**
 * When a value is made: the row or call it is made for. One object is reused for all calls of a phase; building a value
 * reads the numbers and adds to the two sums.
 */
export type Moment = {
  /** Number of the row (in a data set) or of the call (in an operation). */
  n: number
  /** Number of the call in its pass, whichever operation it is. */
  call: number
  /** Tells apart the elements of an array, which share a place and a number. */
  lane: number
  /** BSON bytes of the values built so far, without their keys: sizes fall out of building. */
  bytes: number
  /** Hash of what was drawn so far. */
  hash: number
  /** Values of `@var`, by slot. */
  readonly variables: unknown[]
}

export const newMoment = (): Moment => ({ n: 0, call: 0, lane: 0, bytes: 0, hash: 0, variables: [] })

/** Makes a value, and adds its BSON bytes (without its key) to the moment. */
export type Draw<Value = unknown> = (moment: Moment) => Value
