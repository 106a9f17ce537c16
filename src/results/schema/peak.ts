import { z } from 'zod'
import { latencySummary } from './latency.ts'

/** One step of a search for the best number of workers: a closed loop of so many workers. */
export const peakStep = z.object({
  workers: z.int(),
  /** From its first call sent to its last call answered. */
  seconds: z.number(),
  ok: z.int(),
  /** Calls that failed or whose outcome is unknown. */
  errors: z.int(),
  /** Successful calls divided by the seconds. */
  opsPerSecond: z.number(),
  /** Of the successful calls. Null: there was none. */
  latency: latencySummary.nullable(),
})

/** What a search for the best number of workers found. */
export const peak = z.object({
  /** In the order in which they were tried. One that was aborted is not among them. */
  steps: z.array(peakStep),
  /** The smallest number of workers whose throughput was within the margin of the greatest. Null: nothing succeeded. */
  workers: z.int().nullable(),
  /** Throughput of that step. */
  opsPerSecond: z.number().nullable(),
})

export type Peak = z.output<typeof peak>
export type PeakStep = z.output<typeof peakStep>
