import { describe, expect, test } from 'vitest'
import { placeKey, Stream } from '../../../src/core/random.ts'
import { PairedLatencies } from '../../../src/traffic/replay/paired-latencies.ts'

/** A latency around a median. */
const draw = (rng: Stream, medianUs: number): number => {
  const sum = Array.from({ length: 12 }, () => rng.below(1e6) / 1e6).reduce((total, part) => total + part, -6)
  return medianUs * Math.exp(0.5 * sum)
}

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** A replay of so many calls, each of which takes twice as long as recorded, more or less. */
function replay(calls: number, trial = 0) {
  const rng = new Stream(placeKey(38, 'pairs')).at(trial)
  const pairs = Array.from({ length: calls }, () => [draw(rng, 400), draw(rng, 800)] as const)
  const latencies = new PairedLatencies()
  for (const [i, [recorded, replayed]] of pairs.entries()) latencies.add(0, i / calls, recorded, replayed)
  const [recorded, replayed] = [0, 1].map((side) => medianOf(pairs.map((pair) => pair[side] ?? 0)))
  return { latencies, ratio: (replayed ?? 0) / (recorded ?? 1) }
}

function widthOf(latencies: PairedLatencies, shapes: readonly number[]): number {
  const { low = 0, high = 0 } = latencies.interval(shapes, 50, 2) ?? {}
  return high - low
}

describe('the interval around the ratio of a percentile', () => {
  test('has the true ratio in about 95 of 100 replays', () => {
    const trials = 300
    const hits = Array.from({ length: trials }, (_, trial) => {
      const { latencies, ratio } = replay(500, trial)
      const { low = 0, high = 0 } = latencies.interval([0], 50, ratio) ?? {}
      return low <= 2 && 2 <= high
    })
    const share = hits.filter(Boolean).length / trials
    expect(share).toBeGreaterThan(0.91)
    expect(share).toBeLessThan(0.99)
  })

  test('is unknown where calls are too few for six ratios of neighbouring sections', () => {
    expect(replay(110).latencies.interval([0], 50, 2)).toBeNull()
    expect(replay(150).latencies.interval([0], 50, 2)).not.toBeNull()
    expect(replay(500).latencies.interval([0], 99, 2)).toBeNull()
    expect(replay(500).latencies.interval([1], 50, 2)).toBeNull()
  })

  test('is narrower the more calls there are, also of several shapes together', () => {
    const few = replay(400).latencies
    expect(widthOf(replay(10_000).latencies, [0])).toBeLessThan(widthOf(few, [0]) / 2)
    for (let i = 0; i < 10_000; i++) few.add(1, i / 10_000, 400, 800)
    expect(widthOf(few, [0, 1])).toBeLessThan(widthOf(few, [0]) / 2)
  })

  test('is the same of shares that are added up', () => {
    const [one, other, both] = [replay(200, 1), replay(300, 2), new PairedLatencies()].map((of) =>
      of instanceof PairedLatencies ? of : of.latencies,
    ) as [PairedLatencies, PairedLatencies, PairedLatencies]
    const taken = [one.take(), other.take()]
    expect(one.take()).toEqual([])
    for (const counts of taken) both.addTaken(counts)
    const whole = new PairedLatencies()
    whole.addTaken(taken.flat())
    expect(both.interval([0], 50, 2)).not.toBeNull()
    expect(whole.interval([0], 50, 2)).toEqual(both.interval([0], 50, 2))
  })
})
