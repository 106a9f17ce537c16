import { describe, expect, test } from 'vitest'
import { createLimits, maxConsecutiveFailures, maxFailureMs } from '../../src/load/loops/limits.ts'

const endless = {
  stopAfter: { seconds: 1e9 },
  budgetUsedUp: () => undefined,
  workers: 1,
  deadlineMs: 1000,
  startMs: 0,
  signal: new AbortController().signal,
}

/** Fails calls until there is no next one, or the given number is reached. */
function failAll(limits: ReturnType<typeof createLimits>, most: number, nowMs = 0): number {
  let failed = 0
  while (failed < most && !limits.isOver(nowMs)) {
    limits.answered(false, nowMs)
    failed += 1
  }
  return failed
}

describe('a pass in which everything fails', () => {
  test.each([
    [1, maxConsecutiveFailures],
    [10, maxConsecutiveFailures],
    [64, 128],
  ])('with %i workers ends after %i answers without one ok', (workers, answers) => {
    const limits = createLimits({ ...endless, workers })
    expect(failAll(limits, 1000)).toBe(answers)
    expect(limits.endedBecause()).toBe('everything failed')
  })

  test('goes on for a while after a single ok', () => {
    const limits = createLimits(endless)
    limits.answered(true, 0)
    expect(failAll(limits, 1000, maxFailureMs - 1)).toBe(1000)
    expect(limits.endedBecause()).toBeUndefined()
    expect(limits.isOver(maxFailureMs)).toBe(true)
    expect(limits.endedBecause()).toBe('everything failed')
  })

  test('is waited for as much longer as faults may last', () => {
    const limits = createLimits({ ...endless, outageMs: 20_000 })
    expect(failAll(limits, 1000, 19_999)).toBe(1000)
    expect(failAll(limits, 1000, 20_000)).toBe(0)
    const later = createLimits({ ...endless, outageMs: 20_000 })
    later.answered(true, 0)
    expect(later.isOver(maxFailureMs + 19_999)).toBe(false)
    expect(later.isOver(maxFailureMs + 20_000)).toBe(true)
  })

  test('waits three deadlines for another ok when calls may take long', () => {
    const limits = createLimits({ ...endless, deadlineMs: 60_000 })
    limits.answered(true, 0)
    expect(limits.isOver(179_999)).toBe(false)
    expect(limits.isOver(180_000)).toBe(true)
  })
})

test('time in which no call was due says nothing about a server that did answer', () => {
  const limits = createLimits(endless)
  limits.answered(true, 0)
  limits.noteIdle(maxFailureMs)
  expect(limits.isOver(2 * maxFailureMs - 1)).toBe(false)
  expect(limits.isOver(2 * maxFailureMs)).toBe(true)
})

test('a pass that has sent all it was asked for is complete, even when it is aborted meanwhile', () => {
  const limits = createLimits({ ...endless, budgetUsedUp: () => 'operations', signal: AbortSignal.abort() })
  expect(limits.isOver(0)).toBe(true)
  expect(limits.endedBecause()).toBe('operations')
})

test('the first limit that is reached ends the pass, and stays its reason', () => {
  let usedUp: 'documents' | undefined
  const limits = createLimits({ ...endless, stopAfter: { seconds: 1 }, budgetUsedUp: () => usedUp })
  expect(limits.isOver(999)).toBe(false)
  usedUp = 'documents'
  expect(limits.isOver(999)).toBe(true)
  expect(limits.isOver(5000)).toBe(true)
  expect(limits.endedBecause()).toBe('documents')
})

test('the seconds are counted from the beginning of the pass', () => {
  const limits = createLimits({ ...endless, stopAfter: { seconds: 2 }, startMs: 5000 })
  expect(limits.isOver(6999)).toBe(false)
  expect(limits.isOver(7000)).toBe(true)
  expect(limits.endedBecause()).toBe('seconds')
})

test.each([
  ['precision', 'precision'],
  ['aborted', 'aborted'],
  [undefined, 'aborted'],
] as const)('a pass that is stopped because of %s ends for that reason', (reason, expected) => {
  const stopping = new AbortController()
  const limits = createLimits({ ...endless, signal: stopping.signal })
  expect(limits.isOver(0)).toBe(false)
  stopping.abort(reason)
  expect(limits.isOver(1)).toBe(true)
  expect(limits.endedBecause()).toBe(expected)
})
