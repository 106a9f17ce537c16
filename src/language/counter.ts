/** Gives out whole numbers from 0 on, none of them twice. */
export type Counter = { readonly take: () => number }

/** @param step Default 1: one after the other. With more, several counters share the numbers: each begins at its own `from`. */
export function createCounter(from = 0, step = 1): Counter {
  let next = from
  return {
    take() {
      const taken = next
      next += step
      return taken
    },
  }
}
