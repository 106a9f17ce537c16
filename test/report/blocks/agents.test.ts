import { expect, test } from 'vitest'
import { agentBlocks } from '../../../src/report/blocks/agents.ts'
import { type Block } from '../../../src/report/blocks/block.ts'
import { type Result } from '../../../src/results/schema.ts'
import { type AgentRun } from '../../../src/results/schema/agents.ts'
import { anAgent } from '../../fakes/an-agent.ts'

const blocksOf = (...agents: readonly AgentRun[]): readonly Block[] =>
  agentBlocks({ variants: [{ phases: [{ agents }] }] } as unknown as Result)

test('a clock shows its error with the millisecond that wall clocks leave open', () =>
  expect(JSON.stringify(blocksOf(anAgent))).toContain('2 ± 1.3 ms'))

test('a clock that is a little behind is not shown as less than zero', () =>
  expect(JSON.stringify(blocksOf({ ...anAgent, clockOffsetMs: -0.2 }))).toContain('"0 ± 1.3 ms'))

test('a run without agents has no table of them', () => expect(blocksOf()).toEqual([]))
