import { z } from 'zod'
import { type Stream } from '../random.ts'

export type Length = { readonly min: number; readonly max: number }

/** A fixed length, or one drawn between two, both included. */
export function lengthUpTo(most: number) {
  const length = z.int().min(0).max(most)
  return z.union([
    length.transform((n): Length => ({ min: n, max: n })),
    z.strictObject({ min: length, max: length }).refine(({ min, max }) => min <= max, '"min" is above "max"'),
  ])
}

/** A fixed length takes nothing from the stream. */
export const drawLength = ({ min, max }: Length, stream: Stream): number =>
  max > min ? min + stream.below(max - min + 1) : min
