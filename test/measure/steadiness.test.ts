import { describe, expect, test } from 'vitest'
import { noArguments } from '../../src/engines/intent.ts'
import { minSeconds, steadiness, throughputPerFullSecond } from '../../src/measure/steadiness.ts'
import { fakeOperation, okOutcome } from '../fakes/fake-calls.ts'
import { recordCalls } from '../fakes/record-calls.ts'

const seconds = (count: number, pace: (second: number) => number): number[] =>
  Array.from({ length: count }, (_, second) => pace(second))

describe('a phase is', () => {
  test('steady when the pace holds', () => {
    const { label, lastOverFirst, spread } = steadiness(
      seconds(30, (second) => 1000 + (second % 3) * 20),
      null,
    )
    expect(label).toBe('steady')
    expect(lastOverFirst).toBeCloseTo(1, 2)
    expect(spread).toBeCloseTo(0.04, 2)
  })

  test.each([
    ['slower', -20],
    ['faster', 20],
  ])('drifting when it gets %s', (_, step) => {
    expect(
      steadiness(
        seconds(30, (second) => 1000 + second * step),
        null,
      ).label,
    ).toBe('drifting')
  })

  test('drifting when it drops for good in the middle', () => {
    const { label, lastOverFirst } = steadiness(
      seconds(30, (second) => (second < 15 ? 1000 : 500)),
      null,
    )
    expect(label).toBe('drifting')
    expect(lastOverFirst).toBe(0.5)
  })

  test('unsettled when it goes up and down', () => {
    expect(
      steadiness(
        seconds(30, (second) => (second % 2 ? 600 : 1400)),
        null,
      ).label,
    ).toBe('unsettled')
  })

  test('unsettled when nothing succeeded in its first third', () => {
    expect(
      steadiness(
        seconds(30, (second) => (second < 10 ? 0 : 1000)),
        null,
      ),
    ).toMatchObject({
      label: 'unsettled',
      lastOverFirst: null,
    })
  })

  test('too short with fewer seconds than three thirds need', () => {
    expect(
      steadiness(
        seconds(minSeconds - 1, () => 1000),
        null,
      ).label,
    ).toBe('too short')
    expect(
      steadiness(
        seconds(minSeconds, () => 1000),
        null,
      ).label,
    ).toBe('steady')
  })
})

test('checkpoints are passed on', () => {
  expect(steadiness([], 2).checkpoints).toBe(2)
})

test('throughput adds up the operations and leaves out the last second, which may be a part of one', () => {
  const operations = [fakeOperation({ name: 'read' }), fakeOperation({ name: 'write' })]
  const results = recordCalls({ operations }, 0, (recorder) => {
    for (const [operation, endMs] of [
      [0, 100],
      [1, 200],
      [0, 1500],
      [0, 2010],
    ] as const) {
      recorder.record({ operation, args: noArguments, bytes: 0, documents: 1, number: 0 }, 0, endMs, okOutcome())
    }
  })
  expect(throughputPerFullSecond(results)).toEqual([2, 1])
})

test('a phase without calls has no throughput', () => {
  expect(throughputPerFullSecond([])).toEqual([])
})
