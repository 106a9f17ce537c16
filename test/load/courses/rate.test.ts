import { describe, expect, test } from 'vitest'
import { Stream, placeKey } from '../../../src/core/random.ts'
import { rate as rateCourse, type RateBounds, type TriedRate } from '../../../src/load/courses/rate.ts'
import { fail } from '../../fakes/fail.ts'

const usual: RateBounds = { from: 100, to: 20_000, precisionPercent: 10 }

type Verdict = (rate: number, purpose: TriedRate['purpose'], step: number) => boolean

/** Searches until there is an answer. */
function search(isHeld: Verdict, bounds: Partial<RateBounds> = {}) {
  const course = rateCourse({ ...usual, ...bounds })
  const steps: TriedRate[] = []
  for (;;) {
    const next = course.next(steps)
    if (next === undefined || next instanceof Promise) return { ...course.outcome(steps), steps }
    steps.push({ ...next, held: isHeld(next.at, next.purpose, steps.length) })
  }
}

const upTo = (limit: number) => (rate: number) => rate <= limit

const tried = (steps: readonly TriedRate[]) => steps.map(({ at, purpose }) => `${at} ${purpose}`)

describe('a search for a rate', () => {
  test('doubles the rate until it misses twice, halves in between, and confirms the middle', () => {
    const { steps, ...outcome } = search(upTo(1000))
    const [doubled, halved] = [
      [100, 200, 400, 800, 1600],
      ['1600 again', '1131 step', '1131 again', '951.2 step'],
    ]
    const all = [...doubled.map((rate) => `${rate} step`), ...halved, '1037 confirm', '993.2 confirm']
    expect(tried(steps)).toEqual(all)
    expect(outcome).toEqual({ found: 993.2, low: 951.2, high: 1131, confirmed: true })
  })

  test.for([101, 150, 777, 1750, 4999, 19_999])('finds %d/s within its precision, whatever the limit', (limit) => {
    const { found, low, high, confirmed } = search(upTo(limit))
    expect(confirmed).toBe(true)
    expect(found).toBeLessThanOrEqual(limit)
    expect(low).toBeLessThanOrEqual(found ?? fail('no rate'))
    expect(high).toBeGreaterThan(limit)
    expect(found).toBeGreaterThan(limit * 0.9)
  })

  test('has an interval whose ends are rates that were tried, and are not next to the rate by chance', () => {
    const { found, low, high, steps } = search(upTo(1750))
    const rate = found ?? fail('no rate')
    expect(steps.filter(({ held }) => held).map(({ at }) => at)).toContain(low)
    expect(steps.filter(({ held }) => !held).map(({ at }) => at)).toContain(high)
    expect(low).toBeLessThanOrEqual(rate * 0.975)
    expect(high).toBeGreaterThanOrEqual(rate * 1.05)
  })

  test('is as precise as it is asked to be', () => {
    const { found } = search(upTo(1750), { precisionPercent: 1 })
    expect(found).toBeGreaterThan(1750 * 0.99)
    expect(found).toBeLessThanOrEqual(1750)
  })

  test('that misses at its first rate has no answer but that', () => {
    const { steps, ...outcome } = search(() => false)
    expect(outcome).toEqual({ found: null, low: null, high: 100, confirmed: false })
    expect(tried(steps)).toEqual(['100 step', '100 again'])
  })

  test('that never misses confirms its last rate, and knows no upper end', () => {
    const { steps, ...outcome } = search(() => true)
    expect(outcome).toEqual({ found: 20_000, low: 12_800, high: null, confirmed: true })
    expect(tried(steps).slice(-2)).toEqual(['20000 step', '20000 confirm'])
  })

  test('goes on after a rate that missed once by chance', () => {
    const found = search((rate, _, step) => step !== 2 && rate <= 1000)
    expect(found).toMatchObject({ found: 993.2, confirmed: true })
  })

  test('goes down where the longer step does not confirm the rate', () => {
    const { found, confirmed, high } = search((rate, purpose) => rate <= (purpose === 'confirm' ? 700 : 1000))
    expect(confirmed).toBe(true)
    expect(found).toBeLessThanOrEqual(700)
    expect(found).toBeGreaterThan(700 * 0.8)
    expect(high).toBeGreaterThan(700)
  })

  test('ends where verdicts contradict each other again and again', () => {
    const { steps, confirmed } = search((_, purpose) => purpose !== 'confirm', { precisionPercent: 1 })
    expect(steps.length).toBeLessThanOrEqual(30)
    expect(confirmed).toBe(false)
  })
})

/** Response times of a queue with one server, in order of arrival, and their 99th percentile in ms. Infinity: they pile up. */
function p99OfQueue(rate: number, seconds: number, served: number, random: () => number): number {
  const times: number[] = []
  let freeAt = 0
  for (let at = 0; at < seconds; at -= Math.log(1 - random()) / rate) {
    freeAt = Math.max(at, freeAt) - Math.log(1 - random()) / served
    if (freeAt - at > 1) return Infinity
    times.push(freeAt - at)
  }
  return 1000 * (times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Infinity)
}

test('a search on a queue with noise finds the rate that theory has, and nine in ten of its intervals contain it', () => {
  const [served, limitMs, count] = [2000, 10, 25]
  const theory = served - Math.log(100) / (limitMs / 1000)
  const searches = Array.from({ length: count }, (_, seed) => {
    const stream = new Stream(placeKey(seed, 'queue'))
    stream.at(0)
    const random = (): number => stream.float()
    return search((rate, purpose) => {
      const seconds = Math.max(5, 1160 / rate) * (purpose === 'confirm' ? 2 : 1)
      return p99OfQueue(rate, seconds, served, random) < limitMs
    })
  })
  for (const { found } of searches) {
    expect(found).toBeGreaterThan(theory * 0.85)
    expect(found).toBeLessThan(theory * 1.1)
  }
  const covering = searches.filter(({ low, high }) => (low ?? 0) <= theory && theory <= (high ?? Infinity))
  expect(covering.length).toBeGreaterThanOrEqual(count * 0.9)
})
