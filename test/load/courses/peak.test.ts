import { expect, test } from 'vitest'
import { peak, type PeakBounds, type TriedWorkers } from '../../../src/load/courses/peak.ts'
import { fail } from '../../fakes/fail.ts'

const usual: PeakBounds = { from: 1, to: 64, factor: 2, gain: 0.05, margin: 0.03 }

type Speed = (workers: number, purpose: TriedWorkers['purpose']) => number

/** Searches until there is an answer, on a server that answers so many calls a second to so many workers. */
function search(speedOf: Speed, bounds: Partial<PeakBounds> = {}, limitedBy: string | null = null) {
  const course = peak({ ...usual, ...bounds })
  const steps: TriedWorkers[] = []
  for (;;) {
    const next = course.next(steps)
    if (next === undefined || next instanceof Promise) break
    steps.push({ ...next, held: true, opsPerSecond: speedOf(next.at, next.purpose), limitedBy })
  }
  return { tried: steps.map(({ at }) => at), ...course.outcome(steps) }
}

const speeds = (known: Readonly<Record<number, number>>) => (workers: number) => known[workers] ?? fail('not expected')

const neverFalling = (workers: number): number => workers * 100

test('a search ends when two steps have not brought more, and confirms the fewest that are nearly as fast as the fastest', () => {
  const found = search(speeds({ 1: 100, 2: 200, 4: 400, 8: 410, 16: 405 }))
  expect(found).toEqual({ tried: [1, 2, 4, 8, 16, 4], found: 4, low: 2, high: 8, confirmed: true })
})

test('it goes on when a second step makes up for the first', () => {
  const { tried, found } = search(speeds({ 1: 100, 2: 101, 4: 200, 8: 200, 16: 200 }))
  expect([tried, found]).toEqual([[1, 2, 4, 8, 16, 4], 4])
})

test('it ends with the first step that brings no more where something is used up, unless that is round trips', () => {
  const speedOf = speeds({ 1: 100, 2: 101, 4: 101, 8: 101 })
  expect(search(speedOf, {}, 'server CPU (its host 97 % busy)').tried).toEqual([1, 2, 1])
  expect(search(speedOf, {}, 'round trips (1 × 2 of 3 ms)').tried).toEqual([1, 2, 4, 1])
})

test('it tries the most that it may where throughput never falls', () => {
  const found = search(neverFalling, { to: 10 })
  expect(found).toEqual({ tried: [1, 2, 4, 8, 10, 10], found: 10, low: 8, high: null, confirmed: true })
})

test('it ends after three steps where throughput falls at once', () =>
  expect(search((workers) => 1000 / workers)).toMatchObject({ tried: [1, 2, 4, 1], found: 1, low: null, high: 2 }))

test('it begins where it is told, and never tries a number twice on its way', () =>
  expect(search(neverFalling, { from: 3, to: 7, factor: 1.1 }).tried).toEqual([3, 4, 5, 6, 7, 7]))

test('a longer step that is clearly slower does not confirm the answer', () => {
  const found = search((workers, purpose) => (purpose === 'confirm' ? 90 : 100) * Math.min(workers, 4))
  expect(found).toMatchObject({ found: 4, confirmed: false })
})

test('small gains that add up are growth', () => {
  const { tried } = search((workers) => 100 + 3 * Math.log2(workers), { to: 16 })
  expect(tried.slice(0, -1)).toEqual([1, 2, 4, 8, 16])
})

test('the margin decides between fewer workers and more throughput', () => {
  const speedOf = speeds({ 1: 50, 2: 96, 4: 98, 8: 100 })
  const best = [0, 0.02, 0.04, 0.5].map((margin) => search(speedOf, { to: 8, gain: 0, margin }).found)
  expect(best).toEqual([8, 4, 2, 1])
})

test('nothing is confirmed where nothing succeeded', () =>
  expect(search(() => 0)).toEqual({ tried: [1, 2], found: null, low: null, high: null, confirmed: false }))
