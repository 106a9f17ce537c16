/** What a ratio can turn out to be. */
export const verdictNames = ['higher', 'lower', 'same', 'cannot tell', 'no verdict'] as const

/** What a ratio can turn out to be. */
export type VerdictName = (typeof verdictNames)[number]
