/** A function of expressions. Its name and its arguments are those of MongoDB's aggregation operator. */
export type SpecFunction = {
  readonly keyword: `@${string}`
  readonly summary: string
  /** Minimum and maximum number of arguments. */
  readonly arity: readonly [number, number]
  /** Total: it returns null where an input has no result. A report shows an empty cell then, and a spec is invalid. */
  readonly apply: (args: readonly unknown[]) => unknown
  /** Whether null is the result of these arguments, none of which is null. Default: they have none. */
  readonly mayBeNull?: (args: readonly unknown[]) => boolean
  /** The whole expression must be known when the plan is made. */
  readonly staticOnly?: boolean
  /** The second argument divides: it must be known when the plan is made, and not be 0. */
  readonly divides?: boolean
  /** The only argument is a list: a list in the spec is that argument, not a list of arguments. */
  readonly takesList?: boolean
  /** An example for the reference page: the expression and its result. */
  readonly example: readonly [unknown, unknown]
}
