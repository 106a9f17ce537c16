/** Counts from 0: each number is taken once. */
export type Counter = { readonly take: () => number }

/** Creates a counter at 0. */
export function createCounter(): Counter {
  let next = 0
  return { take: () => next++ }
}
