import { count, figure, flag, keyword, orNull, part, text } from './fields.ts'

export const agentRun = part('Activity of one agent in the timed window of a phase.', {
  name: text,
  sameMachine: flag.describe('Whether it ran on the machine of the coordinator.'),
  shares: count.describe('Equal shares of the phase that it ran, each in a thread.'),
  ofShares: count.describe('Number of shares in all.'),
  startOffsetMs: figure.describe(
    'How long after the common start it was ready to send, in milliseconds by the clock of the coordinator: of its slowest thread.',
  ),
  clockOffsetMs: figure.describe(
    'How far its wall clock was ahead of the wall clock of the coordinator, in milliseconds: to within 1 ms more than `clockErrorMs`, because wall clocks show whole ones.',
  ),
  clockErrorMs: figure.describe('The error of its times in ms: half of the shortest round trip to it.'),
  endedAtSeconds: figure.describe('Seconds from the start of the window to its last answer.'),
  operations: count,
  cpuPercent: figure.describe('CPU time of its process, in percent of one core.'),
  cpuSeconds: figure.describe('CPU time of its process, in seconds.'),
  machineCpuPercent: figure.describe('CPU time of all that ran on its machine, in percent of all cores.'),
  eventLoopUtilization: figure.describe('Utilization of its busiest thread, 0 to 1.'),
  rssMB: figure,
  machineSpeed: orNull(figure).describe('Runs of a fixed kernel per second, before the phase. Null: not measured.'),
  limitedBy: orNull(keyword(['event loop', 'CPU'])).describe(
    'Limit that kept it from sending more: an event loop or the CPU of its machine. Null: nothing did.',
  ),
})

export type { AgentRun } from '../result-types.ts'
