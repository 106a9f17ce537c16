import { describe, expect, test } from 'vitest'
import { hold } from '../../../src/load/courses/hold.ts'
import { type RateBounds, type TriedRate } from '../../../src/load/courses/rate.ts'

const usual: RateBounds = { from: 8000, to: 250, precisionPercent: 10 }

type Verdict = (size: number, purpose: TriedRate['purpose'], step: number) => boolean

/** Searches until there is an answer. */
async function search(isHeld: Verdict, bounds: Partial<RateBounds> = {}) {
  const course = hold({ ...usual, ...bounds })
  const steps: TriedRate[] = []
  for (let next = await course.next(steps); next !== undefined; next = await course.next(steps))
    steps.push({ ...next, held: isHeld(next.at, next.purpose, steps.length) })
  return { ...course.outcome(steps), steps }
}

const downTo = (least: number) => (size: number) => size >= least

const tried = (steps: readonly TriedRate[]) => steps.map(({ at, purpose }) => `${at} ${purpose}`)

describe('a search for a size', () => {
  test('halves the size until it misses twice, goes on in between, and confirms the middle', async () => {
    const { steps, ...outcome } = await search(downTo(1050))
    const halved = ['8000 step', '4000 step', '2000 step', '1000 step', '1000 again']
    expect(tried(steps)).toEqual([...halved, '1414 step', '1189 step', '1090 confirm'])
    expect(outcome).toEqual({ found: 1090, low: 1000, high: 1189, confirmed: true })
  })

  test.for([260, 700, 1000, 3300, 7900])('finds %d within its precision', async (least) => {
    const { found, low, high, confirmed } = await search(downTo(least))
    expect(confirmed).toBe(true)
    expect(found).toBeGreaterThanOrEqual(least)
    expect(found).toBeLessThan(least * 1.12)
    expect(low).toBeLessThan(least)
    expect(high).toBeGreaterThanOrEqual(found ?? Infinity)
  })

  test('goes on above where the longer step in the middle misses', async () => {
    const { found, confirmed, low } = await search((size, purpose) => size >= (purpose === 'confirm' ? 1300 : 1050))
    expect(confirmed).toBe(true)
    expect(found).toBeGreaterThanOrEqual(1300)
    expect(low).toBeLessThan(1300)
  })

  test('that never misses confirms its last size, and knows no lower end', async () => {
    const { steps, ...outcome } = await search(() => true, { to: 300 })
    expect(tried(steps).slice(-3)).toEqual(['500 step', '300 step', '300 confirm'])
    expect(outcome).toEqual({ found: 300, low: null, high: 500, confirmed: true })
  })

  test('that misses at its first size has no answer but that', async () => {
    const { steps, ...outcome } = await search(() => false)
    expect(tried(steps)).toEqual(['8000 step', '8000 again'])
    expect(outcome).toEqual({ found: null, low: 8000, high: null, confirmed: false })
  })

  test('ends also where whole numbers are no finer than its precision', async () => {
    const { steps, found } = await search(downTo(17), { from: 64, to: 16, precisionPercent: 1 })
    expect(found).toBe(17)
    expect(steps.length).toBeLessThan(40)
  })
})
