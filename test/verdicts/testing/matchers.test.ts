import { expect, test } from 'vitest'
import { baseline, measure, verify } from '../../../src/entries/vitest.ts'
import { aMeasurement } from '../../fakes/a-measurement.ts'

test('Vitest has the matchers, and a missed one fails with the figures', () => {
  expect(aMeasurement({})).toHaveP99Below(10)
  expect(aMeasurement({})).not.toHaveThroughputAbove(2000)
  const slow = aMeasurement({ rounds: Array.from({ length: 6 }, () => ({ p99Ms: 20 })), p99Ms: 20 })
  expect(() => expect(slow).toHaveP99Below(10)).toThrow('orders had a p99 of 20 ms')
  expect(() => verify(slow).toHaveP99Below(10)).toThrow('orders had a p99 of 20 ms')
})

test('a matcher passes both ways where nothing was timed', () => {
  const untimed = { ...aMeasurement({}), notTimed: 'MONGO_PERF is "off"', rounds: [], latency: null }
  expect(untimed).toHaveP99Below(1)
  expect(untimed).not.toHaveP99Below(1)
})

test('the message of a problem has its hint, once, because test runners print nothing else', async () => {
  const refused = measure(() => 1, { rounds: 0 })
  await expect(refused).rejects.toThrow(
    /^"rounds" must be a whole number from 1 to 1000, not 0\nLeave it out for its default\.$/,
  )
  const unnamed = baseline({ ...aMeasurement({}), name: '' })
  await expect(unnamed).rejects.toThrow(/cannot have a baseline\nGive it a name of its own[^\n]*$/)
})
