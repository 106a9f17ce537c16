import { z } from 'zod'
import { latency, nullableSeries } from './latency.ts'

const responsePerSecond = {
  responseP50Ms: nullableSeries,
  responseP99Ms: nullableSeries,
  responseMaxMs: nullableSeries,
}

/** Times of an open loop, counted from the moment for which the plan had a call. */
const timesOfPlan = {
  /** From then until it was sent, of all calls: how far behind the plan this client was. Null: nothing was sent. */
  wait: latency.nullable(),
  /** From then until its answer, of the successful calls. Null: none succeeded. */
  response: latency.nullable(),
  /** Calls that were sent more than 2 ms after that moment: more than the timers of Node account for. */
  late: z.int(),
}

export const openTimes = z.object({ ...timesOfPlan, perSecond: z.object(responsePerSecond) })

/** How the plan of an open loop was kept, all operations together. */
export const openLoopResult = z.object({
  arrivals: z.enum(['poisson', 'constant']),
  /** Calls per second that were asked for: the mean of the window. */
  ratePerSecond: z.number(),
  /** How long calls were sent: the length of the plan, or until it was broken off. The window ends with the last answer. */
  seconds: z.number(),
  maxInFlight: z.int(),
  /** Most calls that waited for their answers at the same time. */
  peakInFlight: z.int(),
  /** Calls that were due: those that were sent and those that were dropped. */
  planned: z.int(),
  sent: z.int(),
  /** Due while `maxInFlight` calls waited for their answers, and never sent. */
  dropped: z.int(),
  ...timesOfPlan,
  perSecond: z.object({
    ...responsePerSecond,
    /** By the second for which they were planned. */
    planned: z.array(z.int()),
    dropped: z.array(z.int()),
  }),
})

export type OpenTimes = z.output<typeof openTimes>
export type OpenLoopResult = z.output<typeof openLoopResult>
