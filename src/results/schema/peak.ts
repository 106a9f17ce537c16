import { z } from 'zod'
import { figure } from './figure.ts'
import { latencySummary } from './latency.ts'

/** One step of a saturation search: a closed loop with that number. */
export const peakStep = z.object({
  workers: z.int(),
  /** From the first call sent to the last reply. */
  seconds: figure,
  ok: z.int(),
  /** Calls that failed or whose outcome is unknown. */
  errors: z.int(),
  /** Successful calls divided by the seconds. */
  opsPerSecond: figure,
  /** Latency of the successful calls. Null: there were none. */
  latency: latencySummary.nullable(),
})

/** One stretch of a load beside one that is on and off in turn. Latency is that of responses in an open loop. */
export const stretch = peakStep.omit({ workers: true }).extend({
  /** Number of its pair, from 0. */
  pair: z.int(),
  /** Whether the other load was on. */
  on: z.boolean(),
})

/** Result of a saturation search. */
export const peak = z.object({
  /** Steps in the order in which they ran, without an aborted one. */
  steps: z.array(peakStep),
  /** The smallest number of workers whose throughput was within the margin of the maximum. Null: nothing succeeded. */
  workers: z.int().nullable(),
  /** Throughput of that step. */
  opsPerSecond: figure.nullable(),
})

export type Peak = z.output<typeof peak>
export type PeakStep = z.output<typeof peakStep>
export type Stretch = z.output<typeof stretch>
