import { expect, test } from 'vitest'
import { baseline, measure, verify } from '../../../src/entries/vitest.ts'
import { aMeasurement } from '../../fakes/a-measurement.ts'

test('Vitest has the matchers, and a missed one fails with the figures', () => {
  expect(aMeasurement({})).toHaveP99Below(10)
  expect(aMeasurement({})).not.toHaveThroughputAbove(2000)
  const slow = aMeasurement({ rounds: Array.from({ length: 6 }, () => ({ p99Ms: 20 })), p99Ms: 20 })
  expect(() => expect(slow).toHaveP99Below(10)).toSay('p99-above-limit', { p99: 20, limit: 10 })
  expect(() => verify(slow).toHaveP99Below(10)).toSay('p99-above-limit', { p99: 20, limit: 10 })
})

test('a matcher passes both ways where nothing was timed', () => {
  const untimed = { ...aMeasurement({}), notTimed: 'MONGO_PERF is "off"', rounds: [], latency: null }
  expect(untimed).toHaveP99Below(1)
  expect(untimed).not.toHaveP99Below(1)
})

const messageOf = (error: unknown): string => (error as Error).message

test('the message of a problem has its hint, once, because test runners print nothing else', async () => {
  const refused = await measure(() => 1, { rounds: 0 }).catch(messageOf)
  expect(refused).toSay('message-of-wrong-rounds')
  const unnamed = await baseline({ ...aMeasurement({}), name: '' }).catch(messageOf)
  expect(unnamed).toSay('message-of-unnamed-baseline')
})
