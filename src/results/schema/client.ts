import { z } from 'zod'
import { figure } from './figure.ts'

/** Health of one thread that runs operations. */
const ofOneThread = {
  /** Share of the window in which the event loop was busy, 0 to 1. */
  eventLoopUtilization: figure,
  /** Delay of timers, without the resolution of the monitor. Null if the loop was too busy to fire one. */
  eventLoopDelayP99Ms: figure.nullable(),
  eventLoopDelayMaxMs: figure.nullable(),
  gcMs: figure,
  gcCount: z.int(),
  heapUsedMB: figure,
  /** True: the client was the bottleneck, so that throughput is a lower bound for the server. */
  saturated: z.boolean(),
}

export const threadHealth = z.object({
  workers: z.int(),
  ...ofOneThread,
  /** Operations that it made, and seconds from the start of the window to its last answer. Null: in older results. */
  operations: z.int().nullable().default(null),
  endedAtSeconds: figure.nullable().default(null),
})

/** Health of the client. With several threads: the worst event loop, and the sums of garbage collections and heaps. */
export const clientHealth = z.object({
  ...ofOneThread,
  /** CPU time of this process over the window, in percent of one core. */
  cpuPercent: figure,
  rssMB: figure,
  /** Every thread that ran operations; empty if the main thread ran them. */
  threads: z.array(threadHealth).default([]),
})

/** CPU time of a machine used by processes other than this client and the measured servers. */
export const otherLoad = z.object({
  /** Processes on the machine: "client", and members by name. */
  runs: z.array(z.string()),
  /** Share in percent of the CPU time of all cores of the machine, without interrupts and stolen time. */
  cpuPercent: figure,
  /** CPU time of all processes of the machine, in percent of that of all cores. Null: in older results. */
  usedPercent: figure.nullable().default(null),
})

/** Speed of the client's machine before a phase (before its warm-up) and after its window, in runs of a fixed kernel per second. */
export const machineSpeed = z.object({ before: figure, after: figure })

export type ClientHealth = z.output<typeof clientHealth>
export type ThreadHealth = z.output<typeof threadHealth>
export type OtherLoad = z.output<typeof otherLoad>
