import { expect, test } from 'vitest'
import { findAgentLimit } from '../../../src/run/agents/coordinator/agent-unit.ts'

test.each([
  ['idle', { cpuPercent: 20, machineCpuPercent: 10 }, false, null],
  ['with busy threads on a machine with idle cores', { cpuPercent: 195, machineCpuPercent: 50 }, true, 'event loop'],
  ['with a core for each busy thread of many', { cpuPercent: 195, machineCpuPercent: 99 }, true, 'event loop'],
  ['with threads that look busy while others have the CPU', { cpuPercent: 90, machineCpuPercent: 99 }, true, 'CPU'],
  ['with idle threads on a busy machine', { cpuPercent: 90, machineCpuPercent: 99 }, false, 'CPU'],
] as const)('an agent of two threads, %s, is limited by what it lacks', (_what, load, isSaturated, limit) => {
  expect(findAgentLimit(load, { threads: 2, isSaturated })).toBe(limit)
})
