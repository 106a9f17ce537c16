import { z } from 'zod'

/** What each thread that makes calls has of its own. */
const ofOneThread = {
  /** Share of the window in which the event loop was busy, 0 to 1. */
  eventLoopUtilization: z.number(),
  /** How late timers fired, resolution of the meter taken off. Null when the loop was too busy to fire one. */
  eventLoopDelayP99Ms: z.number().nullable(),
  eventLoopDelayMaxMs: z.number().nullable(),
  gcMs: z.number(),
  gcCount: z.int(),
  heapUsedMB: z.number(),
  /** True: this client, not the server, may have set the pace. */
  saturated: z.boolean(),
}

export const threadHealth = z.object({
  workers: z.int(),
  ...ofOneThread,
  /** Operations that it made, and when its last one was answered, since the window began. Null: in results of before. */
  operations: z.int().nullable().default(null),
  endedAtSeconds: z.number().nullable().default(null),
})

/** With several threads: the worst of their event loops, and the sums of their garbage collections and heaps. */
export const clientHealth = z.object({
  ...ofOneThread,
  /** CPU time of this process over the window, in percent of one core. */
  cpuPercent: z.number(),
  rssMB: z.number(),
  /** Every thread that made calls; empty where the main thread made them. */
  threads: z.array(threadHealth).default([]),
})

/** CPU time of a machine that went to processes which are neither this client nor a server that it measures. */
export const otherLoad = z.object({
  /** What runs there: "client", and members by their names. */
  runs: z.array(z.string()),
  /** In percent of the CPU time of all cores of the machine. Interrupts and stolen time are not in it. */
  cpuPercent: z.number(),
})

export type ClientHealth = z.output<typeof clientHealth>
export type ThreadHealth = z.output<typeof threadHealth>
export type OtherLoad = z.output<typeof otherLoad>
