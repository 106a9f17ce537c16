import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockOffset } from '../../../../src/load/engines/driver/open-streams.ts'
import { forAll } from '../../../fakes/for-all.ts'

test('one answer puts the server between question and answer', () => {
  // Half a millisecond is on average cut off the time that the server tells.
  expect(clockOffset([{ askedMs: 10, answeredMs: 14, serverMs: 1000 }])).toBe(988.5)
})

test('several answers bound the offset from both sides', () => {
  const answers = [
    { askedMs: 0, answeredMs: 1, serverMs: 100 },
    { askedMs: 10.2, answeredMs: 10.7, serverMs: 110 },
    { askedMs: 20, answeredMs: 60, serverMs: 159 },
  ]
  expect(clockOffset(answers)).toBeCloseTo((99.3 + 100.8) / 2)
})

test('the offset is found to within the quickest round trip and a millisecond, however slow the others are', () => {
  const trips = fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1e6, noNaN: true }),
      there: fc.double({ min: 0, max: 50, noNaN: true }),
      back: fc.double({ min: 0, max: 50, noNaN: true }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  const offset = fc.double({ min: -1e9, max: 1e9, noNaN: true })
  forAll(trips, offset, (asked, trueOffset) => {
    const found = clockOffset(
      asked.map(({ at, there, back }) => ({
        askedMs: at,
        answeredMs: at + there + back,
        serverMs: Math.floor(at + there + trueOffset),
      })),
    )
    const quickest = Math.min(...asked.map(({ there, back }) => there + back))
    expect(Math.abs(found - trueOffset)).toBeLessThanOrEqual((quickest + 1) / 2 + 1e-6)
  })
})
