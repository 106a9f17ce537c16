import { expect, test } from 'vitest'
import { queueOfRun } from '../../src/cli/options/queue-option.ts'

const env = { MONGO_PERF_QUEUE: 'redis://queue:6379' }

test.each([
  ['a URL', { agents: 'redis://given:6379', minAgents: 2 }, 'redis://given:6379'],
  ['a number of agents', { minAgents: 2 }, 'redis://queue:6379'],
  ['neither', {}, undefined],
])('a run with %s in its options has its agents where they say, or where the variable says', (_, flags, queue) =>
  expect(queueOfRun(flags, env)).toBe(queue),
)

test('a number of agents without a place where they meet is refused, with both ways to name it', () =>
  expect(() => queueOfRun({ minAgents: 2 }, {})).toSay('min-agents-without-queue'))
