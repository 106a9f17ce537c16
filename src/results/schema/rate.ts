import { z } from 'zod'
import { figure } from './figure.ts'
import { latencySummary } from './latency.ts'

/** A limit in one step, as the spec has it. */
const limitInStep = z.object({
  limit: z.string(),
  /** Null: too few samples, or nothing was measured. */
  measured: figure.nullable(),
  held: z.boolean(),
})

/** One step of a search for a rate: an open loop at that rate. */
export const rateStep = z.object({
  ratePerSecond: figure,
  /** "step": on the way up or in between; "again": a second try of a rate that missed; "confirm": the longer step that decides. */
  purpose: z.enum(['step', 'again', 'confirm']),
  held: z.boolean(),
  /** Whether it was broken off, because calls piled up or a limit on errors could no longer hold. */
  endedEarly: z.boolean(),
  /** Time during which calls were sent. */
  seconds: figure,
  ok: z.int(),
  /** Calls that failed or whose outcome is unknown. */
  errors: z.int(),
  /** Calls that were due and never sent: with one of them, no step holds. */
  dropped: z.int(),
  /** From the planned start to the reply, of the successful calls. Null: there were none. */
  response: latencySummary.nullable(),
  limits: z.array(limitInStep),
  /** The limit that kept the rate from being higher, with its figures. Null: not known. */
  limitedBy: z.string().nullable(),
  /** The busiest CPU with its figures, which may have been far from used up. Null: the server's host does not report it. */
  busiest: z.string().nullable(),
})

/** Result of a search for the highest rate at which limits hold. */
export const rateSearch = z.object({
  /** The limits, as in the spec. */
  holds: z.array(z.string()),
  /** In the order in which they ran, without an aborted one. */
  steps: z.array(rateStep),
  /** The highest rate at which they held. Null: not even the lowest one, or the search was aborted. */
  ratePerSecond: figure.nullable(),
  /** The nearest rate below it, by a quarter of the precision or more, at which they held. Null: there is none. */
  low: figure.nullable(),
  /** The nearest rate above it, by half the precision or more, at which they missed. Null: none did. */
  high: figure.nullable(),
  /** Whether a step of its own confirmed the rate. The other figures of the phase are those of that step. */
  confirmed: z.boolean(),
})

export type RateStep = z.output<typeof rateStep>
export type RateSearch = z.output<typeof rateSearch>
