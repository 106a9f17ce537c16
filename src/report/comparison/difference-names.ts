/** Differences that may be the point of a comparison, in a file of its own: the command line loads it first. */
export const differenceNames = ['spec', 'topology', 'server', 'engine', 'driver', 'load', 'machine'] as const

/** Something that may be the point of a comparison. */
export type DifferenceName = (typeof differenceNames)[number]
