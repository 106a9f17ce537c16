import { count, figure, flag, keyword, nullByDefault, orEmpty, orNull, part, text } from './fields.ts'
import { latencySummary } from './latency.ts'

const limitInStep = part('A limit in one step, as the spec has it.', {
  limit: text,
  measured: orNull(figure).describe('Null: too few samples, or nothing was measured.'),
  held: flag,
})

export const windowResult = part('One of several windows of a phase.', {
  purpose: keyword(['step', 'again', 'confirm', 'with', 'without']).describe(
    'Its place in a search is "step": on the way up or in between; "again": a second try of a rate that missed; "confirm": the longer step that decides. Beside a load that is on and off in turn, it is "with" or "without" that load.',
  ),
  at: figure.describe('Workers, operations per second or MB of cache of a step; number of the pair, from 0.'),
  seconds: figure.describe('From the first operation sent to the last reply, in an open loop to the last operation.'),
  ok: count,
  errors: count.describe('Operations that failed or whose outcome is unknown.'),
  opsPerSecond: figure.describe('Successful operations divided by the seconds.'),
  latency: orNull(latencySummary).describe(
    'Latency of the successful operations; in an open loop, response times. Null: there were none.',
  ),
  held: flag.default(true).describe('Whether a step was whole, and its limits held.'),
  endedEarly: flag
    .default(false)
    .describe('Whether it was broken off, because operations piled up or a limit on errors could no longer hold.'),
  dropped: count.default(0).describe('Operations that were due and never sent: with one of them, no step holds.'),
  limits: orEmpty(limitInStep),
  limitedBy: nullByDefault(text).describe(
    'The limit that kept its throughput from being higher, with its figures. Null: not known.',
  ),
  busiest: nullByDefault(text).describe(
    "The busiest CPU with its figures, which may have been far from used up. Null: the server's host does not report it.",
  ),
})

export const outcome = part(
  'Answer of a search: the best number of workers, or the highest rate or smallest cache with which limits hold.',
  {
    holds: orEmpty(text).describe('Limits of a search for a rate, as in the spec.'),
    found: orNull(figure).describe(
      'Null: not even the lowest rate held, nothing succeeded, or the search was aborted before it knew a rate.',
    ),
    low: orNull(figure).describe(
      'The nearest lower place that was tried; of a rate, lower by a quarter of the precision or more, at which the limits held. Null: there is none.',
    ),
    high: orNull(figure).describe(
      'The nearest higher place that was tried; of a rate, higher by half the precision or more, at which they missed. Null: there is none.',
    ),
    confirmed: flag.describe('Whether a separate step confirmed it, which the other figures of the phase come from.'),
  },
)

/** A step of a search: a load with so many workers, at that rate, or with so much cache. */
export type SearchStep = { readonly at: number; readonly purpose: 'step' | 'again' | 'confirm' }

export type { SearchOutcome, WindowResult } from '../result-types.ts'
