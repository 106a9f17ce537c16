import { type AgentRun } from '../../src/results/schema/agents.ts'

/** What an agent on another machine did, without anything remarkable. */
export const anAgent: AgentRun = {
  name: 'load-1',
  sameMachine: false,
  shares: 1,
  ofShares: 2,
  startOffsetMs: 0.4,
  clockOffsetMs: 2,
  clockErrorMs: 0.3,
  endedAtSeconds: 30,
  operations: 50_000,
  cpuPercent: 90,
  cpuSeconds: 27,
  machineCpuPercent: 96,
  eventLoopUtilization: 0.6,
  rssMB: 150,
  machineSpeed: 100,
  limitedBy: null,
}
