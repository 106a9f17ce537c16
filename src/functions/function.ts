/** A word that computes a value from values: the name and the shape of its arguments are those of MongoDB's aggregation. */
export type SpecFunction = {
  readonly word: `@${string}`
  readonly summary: string
  /** Fewest and most arguments. */
  readonly arity: readonly [number, number]
  /** Total: for every input a value, null where there is nothing sensible to say. */
  readonly apply: (args: readonly unknown[]) => unknown
  /** The whole expression must be known when the plan is made. */
  readonly staticOnly?: boolean
  /** The second argument divides: it must be known when the plan is made, and not be 0. */
  readonly divides?: boolean
  /** The one argument is a list, and a list written there is that argument, never a list of arguments. */
  readonly takesList?: boolean
  /** An example for the reference page: the expression, and what it gives. */
  readonly example: readonly [unknown, unknown]
}
