import { describe, expect, test } from 'vitest'
import { createWaker } from '../../../src/targets/links/waker.ts'
import { fakeRandom } from '../../fakes/fake-result.ts'

/** Timers that take whole milliseconds and fire late by what is told. */
function lateTimers(latenessMs: () => number) {
  const clock = { now: 0 }
  const asked: number[] = []
  const waker = createWaker({
    now: () => clock.now,
    after(ms, wake) {
      asked.push(ms)
      clock.now += ms + latenessMs()
      wake()
      return () => undefined
    },
  })
  return { waker, clock, asked }
}

/** How far wakings miss what was asked for, once the first hundred have been learnt from. */
function errorsOf(delayMs: number, latenessMs: () => number): readonly number[] {
  const { waker, clock } = lateTimers(latenessMs)
  const errors = Array.from({ length: 600 }, () => {
    const atMs = clock.now + delayMs
    waker.wakeAt(atMs, () => undefined)
    return clock.now - atMs
  })
  return errors.slice(100)
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

describe('a waker', () => {
  test.each([
    [2.5, 0.1],
    [2.5, 0.8],
    [2.5, 1.3],
    [10, 0.6],
    [35.5935, 1.1],
  ])('asked for %d ms of timers that are late by %d ms is as often early as late', (delayMs, late) => {
    expect(Math.abs(mean(errorsOf(delayMs, () => late)))).toBeLessThan(0.1)
  })

  test('follows timers that are late by chance, and forgets a pause of the whole process', () => {
    const random = fakeRandom(7)
    const errors = errorsOf(2.5, () => (random() < 0.01 ? 50 : 0.3 + random()))
    const usual = errors.filter((error) => error < 10)
    expect(Math.abs(mean(usual))).toBeLessThan(0.3)
  })

  test('never asks for less than the least that timers know', () => {
    const { waker, asked, clock } = lateTimers(() => 1)
    for (const delayMs of [0, 0.2, 1, 1.9]) waker.wakeAt(clock.now + delayMs, () => undefined)
    expect(asked.every((ms) => Number.isInteger(ms) && ms >= 1)).toBe(true)
  })

  test('calls due what no timer could meet better', () => {
    const { waker, clock } = lateTimers(() => 0.8)
    expect(waker.isDue(clock.now - 3)).toBe(true)
    expect(waker.isDue(clock.now + 0.5)).toBe(true)
    expect(waker.isDue(clock.now + 2)).toBe(false)
  })
})
