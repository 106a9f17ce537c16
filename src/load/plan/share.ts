/** One of several equal parts of a phase: the operations numbered `index`, `index + of`, `index + 2 × of` and so on. */
export type Share = {
  /** From 0. */
  readonly index: number
  readonly of: number
}

/** The share of a single unit: the whole phase. */
export const wholePhase: Share = { index: 0, of: 1 }

export const createShares = (units: number): readonly Share[] =>
  Array.from({ length: units }, (_, index) => ({ index, of: units }))

/** How much of a whole number belongs to a share: all shares together have all of it, and differ by 1 at most. */
export const computeSharePart = (count: number, { index, of }: Share): number =>
  count === Infinity ? Infinity : Math.floor((count + of - 1 - index) / of)
