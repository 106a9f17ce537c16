import { describe, expect, test } from 'vitest'
import { createLimits, hopelessAnswers, hopelessMs } from '../../src/schedule/limits.ts'

const endless = { stopAfter: { seconds: 1e9 }, workers: 1, deadlineMs: 1000, signal: new AbortController().signal }

/** Takes and fails calls until there is no next one, or the given number is reached. */
function failAll(limits: ReturnType<typeof createLimits>, most: number, nowMs = 0): number {
  let failed = 0
  while (failed < most && limits.documentsLeft(nowMs) > 0) {
    limits.take(1)
    limits.answered(1, false, nowMs)
    failed += 1
  }
  return failed
}

describe('a pass in which everything fails', () => {
  test.each([
    [1, hopelessAnswers],
    [10, hopelessAnswers],
    [64, 128],
  ])('with %i workers ends after %i answers without one ok', (workers, answers) => {
    const limits = createLimits({ ...endless, workers })
    limits.start(0)
    expect(failAll(limits, 1000)).toBe(answers)
    expect(limits.endedBecause()).toBe('everything failed')
  })

  test('goes on for a while after a single ok', () => {
    const limits = createLimits(endless)
    limits.start(0)
    limits.take(1)
    limits.answered(1, true, 0)
    expect(failAll(limits, 1000, hopelessMs - 1)).toBe(1000)
    expect(limits.endedBecause()).toBeUndefined()
    expect(limits.documentsLeft(hopelessMs)).toBe(0)
    expect(limits.endedBecause()).toBe('everything failed')
  })

  test('is waited for as much longer as faults may last', () => {
    const limits = createLimits({ ...endless, outageMs: 20_000 })
    limits.start(0)
    expect(failAll(limits, 1000, 19_999)).toBe(1000)
    expect(failAll(limits, 1000, 20_000)).toBe(0)
    const later = createLimits({ ...endless, outageMs: 20_000 })
    later.start(0)
    later.answered(1, true, 0)
    expect(later.documentsLeft(hopelessMs + 19_999)).toBeGreaterThan(0)
    expect(later.documentsLeft(hopelessMs + 20_000)).toBe(0)
  })

  test('waits three deadlines for another ok when calls may take long', () => {
    const limits = createLimits({ ...endless, deadlineMs: 60_000 })
    limits.start(0)
    limits.answered(1, true, 0)
    expect(limits.documentsLeft(179_999)).toBeGreaterThan(0)
    expect(limits.documentsLeft(180_000)).toBe(0)
  })
})

test('time in which no call was due says nothing about a server that did answer', () => {
  const limits = createLimits(endless)
  limits.start(0)
  limits.answered(1, true, 0)
  limits.rested(hopelessMs)
  expect(limits.documentsLeft(2 * hopelessMs - 1)).toBeGreaterThan(0)
  expect(limits.documentsLeft(2 * hopelessMs)).toBe(0)
})

test('a pass that has sent all it was asked for is complete, even when it is aborted meanwhile', () => {
  const abort = new AbortController()
  const limits = createLimits({ ...endless, stopAfter: { operations: 1 }, signal: abort.signal })
  limits.take(1)
  abort.abort()
  limits.documentsLeft(0)
  expect(limits.endedBecause()).toBe('operations')
})

test('the first limit that is reached ends the pass', () => {
  const limits = createLimits({ ...endless, stopAfter: { operations: 10, documents: 5, seconds: 1 } })
  limits.start(0)
  limits.take(5)
  expect(limits.documentsLeft(0)).toBe(0)
  expect(limits.endedBecause()).toBe('documents')
})

test('the seconds are counted from the first call', () => {
  const limits = createLimits({ ...endless, stopAfter: { seconds: 2 } })
  limits.start(5000)
  expect(limits.documentsLeft(6999)).toBeGreaterThan(0)
  expect(limits.documentsLeft(7000)).toBe(0)
})

test('the fraction is that of the limit which is nearest', () => {
  const limits = createLimits({ ...endless, stopAfter: { operations: 10, seconds: 100 } })
  limits.start(0)
  limits.answered(1, true, 1000)
  expect(limits.fraction(1000)).toBe(0.1)
  expect(limits.fraction(50_000)).toBe(0.5)
  expect(limits.fraction(500_000)).toBe(1)
})
