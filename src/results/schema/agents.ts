import { z } from 'zod'
import { figure } from './figure.ts'

/** Activity of one agent in the timed window of a phase. */
export const agentRun = z.object({
  name: z.string(),
  /** Whether it ran on the machine of the coordinator. */
  sameMachine: z.boolean(),
  /** Equal shares of the phase that it ran, each in a thread, of the number of shares in all. */
  shares: z.int(),
  ofShares: z.int(),
  /** How long after the common start it was ready to send, in milliseconds by the clock of the coordinator: of its slowest thread. */
  startOffsetMs: figure,
  /** How far its wall clock was ahead of that of the coordinator, in milliseconds: to within 1 ms more than `clockErrorMs`, because wall clocks show whole ones. */
  clockOffsetMs: figure,
  /** Half of the shortest round trip to it: its times are known with this error, in milliseconds. */
  clockErrorMs: figure,
  /** Seconds from the start of the window to its last answer. */
  endedAtSeconds: figure,
  operations: z.int(),
  /** CPU time of its process, in percent of one core, and of all that ran on its machine, in percent of all cores. */
  cpuPercent: figure,
  /** CPU time of its process, in seconds. */
  cpuSeconds: figure,
  machineCpuPercent: figure,
  /** Utilization of its busiest thread, 0 to 1. */
  eventLoopUtilization: figure,
  rssMB: figure,
  /** Runs of a fixed kernel per second, before the phase. Null: a phase that is not measured. */
  machineSpeed: figure.nullable(),
  /** Limit that kept it from sending more: an event loop or the CPU of its machine. Null: nothing of its own. */
  limitedBy: z.enum(['event loop', 'CPU']).nullable(),
})

export type AgentRun = z.output<typeof agentRun>
