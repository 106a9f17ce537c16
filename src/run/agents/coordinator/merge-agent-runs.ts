import { type AgentRun } from '../../../results/schema/agents.ts'

/** What an agent did in several steps of one search: all of its operations and CPU time, and otherwise the worst figures of any step. */
export const mergeAgentRuns = (one: AgentRun, later: AgentRun): AgentRun => ({
  ...later,
  startOffsetMs: Math.max(one.startOffsetMs, later.startOffsetMs),
  clockErrorMs: Math.max(one.clockErrorMs, later.clockErrorMs),
  operations: one.operations + later.operations,
  cpuPercent: Math.max(one.cpuPercent, later.cpuPercent),
  cpuSeconds: one.cpuSeconds + later.cpuSeconds,
  machineCpuPercent: Math.max(one.machineCpuPercent, later.machineCpuPercent),
  eventLoopUtilization: Math.max(one.eventLoopUtilization, later.eventLoopUtilization),
  rssMB: Math.max(one.rssMB, later.rssMB),
  limitedBy: later.limitedBy ?? one.limitedBy,
})
