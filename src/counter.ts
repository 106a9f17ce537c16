/** Gives out whole numbers one after the other from 0 on, none of them twice. */
export type Counter = { readonly take: () => number }

export function createCounter(): Counter {
  let next = 0
  return { take: () => next++ }
}
