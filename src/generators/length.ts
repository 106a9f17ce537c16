import { z } from 'zod'
import { type Stream } from '../random.ts'

/** Bounds of a length, both included. */
export type Length = { readonly min: number; readonly max: number }

/** Schema of a length: fixed, or drawn between two, both included. */
export function lengthUpTo(maxLength: number) {
  const length = z.int().min(0).max(maxLength)
  return z.union([
    length.transform((n): Length => ({ min: n, max: n })),
    z.strictObject({ min: length, max: length }).refine(({ min, max }) => min <= max, '"min" is above "max"'),
  ])
}

/** Draws a length. A fixed one takes no number from the stream. */
export const drawLength = ({ min, max }: Length, stream: Stream): number =>
  max > min ? min + stream.below(max - min + 1) : min
