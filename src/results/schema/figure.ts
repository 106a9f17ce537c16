import { z } from 'zod'

/** Larger numbers are measured nowhere, and their sums and squares would no longer be finite. */
const max = Number.MAX_SAFE_INTEGER

/** A measured number. Results come from other machines and other people, so it has bounds, as `z.int()` has. */
export const figure = z.number().min(-max).max(max)
