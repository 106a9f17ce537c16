import { describe, expect, test } from 'vitest'
import { Dice } from '../../bench/simulated.ts'
import { computeBatches, halfWidthOfMean, mean } from '../../src/load/measure/batch-means.ts'
import { type PhasePart } from '../../src/load/measure/phase-part.ts'
import { ThroughputTotal } from '../../src/load/measure/throughput-total.ts'
import { looksInARow, precisionSink, secondsBeforeLooks } from '../../src/load/part-sink.ts'
import { autocorrelated, exponential, partsAtPace, partsOf } from './measure/simulated-throughput.ts'

const at = {
  phase: 'phase',
  operations: [],
  pass: 'measured',
  load: 'closed',
  workers: 1,
  inFlight: 1,
  stopAfter: {},
  startMs: 0,
  windowStartMs: 0,
  nowMs: 0,
  isLast: false,
} as const

/** The second in which the phase is ended. Undefined: it is not. */
function endOf(
  parts: readonly PhasePart[],
  percent: number,
  pass: 'measured' | 'warm-up' = 'measured',
): number | undefined {
  let end: number | undefined
  let completeBefore = 0
  const take = precisionSink(percent, () => (end = completeBefore))
  for (const part of parts) {
    completeBefore += 1
    take(part, { ...at, pass, completeBefore })
  }
  return end
}

const even = (seconds: number): readonly PhasePart[] => partsAtPace(5000, seconds, () => 1)

describe('a phase ends', () => {
  test('at the third precise look in a row, the first of which is after five seconds', () =>
    expect(endOf(even(20), 5)).toBe(secondsBeforeLooks + looksInARow - 1))

  test('not while throughput is not precise', () => {
    const uneven = partsAtPace(5000, 30, (second) => (second % 10 < 5 ? 0.5 : 1.5))
    expect(endOf(uneven, 5)).toBeUndefined()
  })

  test('not by its warm-up', () => expect(endOf(even(20), 5, 'warm-up')).toBeUndefined())

  test('not before all units have handed over their parts of a second', () => {
    let ends = 0
    const take = precisionSink(5, () => (ends += 1))
    for (const part of even(20)) take(part, { ...at, completeBefore: 6 })
    expect(ends).toBe(0)
  })

  test('once', () => {
    let ends = 0
    const take = precisionSink(5, () => (ends += 1))
    for (const [i, part] of even(30).entries()) take(part, { ...at, completeBefore: i + 1 })
    expect(ends).toBe(1)
  })
})

/** Of 200 phases that end by precision or after 60 s: how many ended early, and in how many the interval covers the true mean, in percent. */
function ended(name: string, percent: number, truth: number, make: (dice: Dice) => readonly PhasePart[]) {
  const phases = 200
  let [early, covered] = [0, 0]
  for (let i = 0; i < phases; i += 1) {
    const parts = make(new Dice(name, i))
    const end = endOf(parts, percent)
    const seconds = end ?? 60
    const total = new ThroughputTotal()
    for (const part of parts.slice(0, seconds)) total.add(part)
    const batches = computeBatches(total.series(seconds * 1000))
    if (end !== undefined) early += 1
    if (Math.abs(mean(batches) - truth) <= halfWidthOfMean(batches)) covered += 1
  }
  return { early: (early / phases) * 100, covered: (covered / phases) * 100 }
}

describe('looking every second makes the interval only a little too narrow', () => {
  test.each([
    [0.1, 5, 88],
    [0.1, 2, 88],
    [0.3, 5, 88],
    [1, 5, 75],
  ])('where throughput is alike over %f s, to ±%i percent', (alikeSeconds, percent, atLeast) => {
    const { early, covered } = ended(`alike ${alikeSeconds} ${percent}`, percent, 500, (dice) =>
      partsAtPace(5000, 60, autocorrelated(dice, 0.1, alikeSeconds)),
    )
    expect(early).toBeGreaterThan(85)
    expect(covered).toBeGreaterThan(atLeast)
  })

  test('where calls take from no time to very long', () => {
    const { early, covered } = ended('calls', 5, 50, (dice) =>
      partsOf({ workers: 8, documents: 1, latencyMs: exponential(dice, 16) }, 60),
    )
    expect(early).toBe(100)
    expect(covered).toBeGreaterThan(90)
  })
})
