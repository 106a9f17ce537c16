/** Ways to keep values in a recording: all; equality and order of magnitude; types and lengths. */
export const valuesModes = ['keep', 'hash', 'shape'] as const

/** A way to keep values. */
export type ValuesMode = (typeof valuesModes)[number]
