/** One end of a link: a member by its position in the set, or by its name in a cluster, or "client", which is everybody else. */
export type End = 'client' | number | `${string}/member${number}`

/** Two ends, whichever of them opens a connection. */
export type Pair = readonly [End, End]

/** The same for both directions. */
export const pairKey = (one: End, other: End): string => [one, other].map(String).toSorted().join('-')

/** "client", or the name that the member has everywhere else. */
export const nameOfEnd = (end: End): string => (typeof end === 'number' ? `member${end}` : end)

type Sides = { readonly from: readonly End[]; readonly to: readonly End[] }

/** Every end of one side with every end of the other, and the position of the second in its list. */
export const createPairs = ({ from, to }: Sides): readonly { readonly ends: Pair; readonly at: number }[] =>
  from.flatMap((one) => to.map((other, at) => ({ ends: [one, other] as const, at })))
