import { type Counter, createCounter } from '../counter.ts'

/**
 * What of a call is counted while it is built: nothing; one row of a collection for each document that it asks for; or
 * something that only building it shows.
 */
export type Counted =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'rows'; readonly of: string }
  | { readonly kind: 'anything' }

/**
 * The order in which the calls of a pass are taken, and all that is counted in that order: it makes call number n the same
 * call whoever takes it. With several threads it lies in memory that all of them see.
 */
export type CallOrder = {
  /** The number of the next call, from 0. */
  readonly takeNumber: () => number
  /** That call has been chosen, and is about to be built. Others may take theirs once nothing more of it is counted. */
  readonly chosen: (documents: number, counted: Counted) => void
  /** A counter for one who asks while the calls are compiled: in every thread they ask in the same order. */
  readonly counter: () => Counter
}

/** The order of calls that are all taken here. */
export const createCallOrder = (): CallOrder => ({
  takeNumber: createCounter().take,
  chosen: () => {},
  counter: createCounter,
})
