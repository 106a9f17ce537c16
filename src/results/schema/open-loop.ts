import { z } from 'zod'
import { count, figure, keyword, list, orNull, part } from './fields.ts'
import { latency, nullableSeries, secondHistograms } from './latency.ts'

const responsePerSecond = {
  responseP50Ms: nullableSeries,
  responseP99Ms: nullableSeries,
  responseMaxMs: nullableSeries,
}

/** Times of an open loop, measured from the planned start of each call. */
const timesOfPlan = {
  wait: orNull(latency).describe(
    'Until the operation was sent, of all operations: how far the client was behind the plan. Null: nothing was sent.',
  ),
  response: orNull(latency).describe('Until the reply, of the successful calls. Null: none succeeded.'),
  late: count.describe('Operations that were sent more than 2 ms late: more than the timers of Node.js account for.'),
}

export const openTimes = part('Times of one operation in an open loop.', {
  ...timesOfPlan,
  perSecond: z.object({
    ...responsePerSecond,
    responseHistograms: secondHistograms.optional().describe('Absent in older results and in compact ones.'),
  }),
})

export const openLoopResult = part('How well an open loop kept its plan, over all operations.', {
  arrivals: z.union([keyword(['poisson', 'constant', 'recorded']), z.object({ burstsOf: figure })]),
  ratePerSecond: figure.describe('Requested operations per second: the mean of the window.'),
  seconds: figure.describe(
    'Time during which operations were sent: the length of the plan, or less if it was aborted. The window ends with the last reply.',
  ),
  maxInFlight: count,
  peakInFlight: count.describe('Maximum number of operations in flight at the same time.'),
  planned: count.describe('Operations that were due: sent or dropped.'),
  sent: count,
  dropped: count.describe(
    'Operations that were due while `maxInFlight` operations were in flight, and were never sent.',
  ),
  ...timesOfPlan,
  perSecond: z.object({
    ...responsePerSecond,
    planned: list(count).describe('Counts by the second in which they were due.'),
    dropped: list(count),
  }),
})

export type { OpenLoopResult, OpenTimes } from '../result-types.ts'
