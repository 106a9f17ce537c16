import { expect, test } from 'vitest'
import { clockOffset } from '../../../src/run/agents/coordinator/clock-offset.ts'

const reading = (askedMs: number, roundTripMs: number, shownMs: number) => ({
  askedMs,
  answeredMs: askedMs + roundTripMs,
  shownMs,
  wallAheadMs: 7,
})

test('of several readings the one with the shortest round trip counts, and half of it is the error', () => {
  const offset = clockOffset([reading(100, 40, 5130), reading(200, 2, 5201.5), reading(300, 8, 5301)])
  expect(offset).toEqual({ originMs: 5000.5, errorMs: 1, wallAheadMs: 8, roundTripMs: 2 })
})

test('the true origin is within the error, wherever in the round trip the answer was given', () => {
  for (const wayThereMs of [0, 0.5, 3, 6]) {
    const { originMs, errorMs } = clockOffset([reading(1000, 6, 250 + 1000 + wayThereMs)])
    expect(Math.abs(originMs - 250)).toBeLessThanOrEqual(errorMs)
  }
})

test('without an answer there is no offset', () => {
  expect(() => clockOffset([])).toSay('clock-without-reading')
})
