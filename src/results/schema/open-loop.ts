import { z } from 'zod'
import { figure } from './figure.ts'
import { latency, nullableSeries, secondHistograms } from './latency.ts'

const responsePerSecond = {
  responseP50Ms: nullableSeries,
  responseP99Ms: nullableSeries,
  responseMaxMs: nullableSeries,
}

/** Times of an open loop, measured from the planned start of each call. */
const timesOfPlan = {
  /** Until the call was sent, of all calls: how far the client was behind the plan. Null: nothing was sent. */
  wait: latency.nullable(),
  /** Until the reply, of the successful calls. Null: none succeeded. */
  response: latency.nullable(),
  /** Calls that were sent more than 2 ms late: more than the timers of Node.js account for. */
  late: z.int(),
}

/** Times of one operation in an open loop. */
export const openTimes = z.object({
  ...timesOfPlan,
  perSecond: z.object({
    ...responsePerSecond,
    /** Absent in older results and in compact ones. */
    responseHistograms: secondHistograms.optional(),
  }),
})

/** How well an open loop kept its plan, over all operations. */
export const openLoopResult = z.object({
  arrivals: z.union([z.enum(['poisson', 'constant', 'recorded']), z.object({ burstsOf: figure })]),
  /** Requested calls per second: the mean of the window. */
  ratePerSecond: figure,
  /** Time during which calls were sent: the length of the plan, or less if it was aborted. The window ends with the last reply. */
  seconds: figure,
  maxInFlight: z.int(),
  /** Maximum number of calls in flight at the same time. */
  peakInFlight: z.int(),
  /** Calls that were due: sent or dropped. */
  planned: z.int(),
  sent: z.int(),
  /** Calls that were due while `maxInFlight` calls were in flight, and were never sent. */
  dropped: z.int(),
  ...timesOfPlan,
  perSecond: z.object({
    ...responsePerSecond,
    /** Counts by the second in which they were due. */
    planned: z.array(z.int()),
    dropped: z.array(z.int()),
  }),
})

export type OpenTimes = z.output<typeof openTimes>
export type OpenLoopResult = z.output<typeof openLoopResult>
