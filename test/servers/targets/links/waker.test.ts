import { describe, expect, test } from 'vitest'
import { createWaker } from '../../../../src/servers/targets/links/timers.ts'
import { fakeRandom } from '../../../fakes/fake-result.ts'

/** Timers that fire late by as much as `latenessMs` returns. */
function lateTimers(latenessMs: () => number) {
  const clock = { now: 0 }
  const asked: number[] = []
  const waker = createWaker({
    now: () => clock.now,
    at(atMs, wake) {
      asked.push(atMs - clock.now)
      clock.now = atMs + latenessMs()
      wake()
      return () => undefined
    },
  })
  return { waker, clock, asked }
}

/** How far wakings miss their moment, once the first 200 have been learnt from. */
function errorsOf(delayMs: number, latenessMs: () => number): readonly number[] {
  const { waker, clock } = lateTimers(latenessMs)
  const errors = Array.from({ length: 1000 }, () => {
    const atMs = clock.now + delayMs
    waker.wakeAt(atMs, () => undefined)
    return clock.now - atMs
  })
  return errors.slice(200)
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

describe('a waker', () => {
  test.each([
    [0.432, 0.08],
    [0.432, 0.25],
    [2.5, 0.8],
    [35.5935, 1.1],
  ])('asked for %d ms of timers that are late by %d ms is as often early as late', (delayMs, late) =>
    expect(Math.abs(median(errorsOf(delayMs, () => late)))).toBeLessThan(0.02),
  )

  test('follows timers that are late by chance, whatever pauses of the whole process come between', () => {
    const random = fakeRandom(7)
    const errors = errorsOf(2.5, () => (random() < 0.05 ? 50 : 0.1 + random() / 10))
    expect(Math.abs(median(errors))).toBeLessThan(0.03)
  })

  test('asks for parts of a millisecond, and for nothing that has passed', () => {
    const { waker, asked, clock } = lateTimers(() => 0.1)
    for (const delayMs of [0.3, 0.05, 0, -2]) waker.wakeAt(clock.now + delayMs, () => undefined)
    expect(asked[0]).toBeGreaterThan(0)
    expect(asked[0]).toBeLessThan(0.3)
    expect(asked.every((ms) => ms >= 0)).toBe(true)
  })

  test('does not learn from a moment that was too near to be met', () => {
    const { waker, clock } = lateTimers(() => 0.08)
    for (let i = 0; i < 500; i++) waker.wakeAt(clock.now - 1, () => undefined)
    const atMs = clock.now + 0.432
    waker.wakeAt(atMs, () => undefined)
    expect(Math.abs(clock.now - atMs)).toBeLessThan(0.02)
  })

  test('calls nothing due the sooner because the machine is busy', () => {
    const { waker, clock } = lateTimers(() => 3)
    for (let i = 0; i < 500; i++) waker.wakeAt(clock.now + 5, () => undefined)
    expect(waker.isDue(clock.now + 0.2)).toBe(false)
  })

  test('calls due what no timer could meet better', () => {
    const { waker, clock } = lateTimers(() => 0.1)
    expect(waker.isDue(clock.now - 3)).toBe(true)
    expect(waker.isDue(clock.now + 0.04)).toBe(true)
    expect(waker.isDue(clock.now + 0.2)).toBe(false)
  })
})
