import { describe, expect, test } from 'vitest'
import { Dice } from '../../bench/simulated.ts'
import { alwaysValidCriticalValue, alwaysValidTail } from '../../src/statistics/estimate.ts'
import { criticalValueOfT } from '../../src/statistics/student-t.ts'

/** The t statistics of one series after 2, 3, … values. */
function statisticsOf(values: readonly number[]): readonly number[] {
  let [sum, squares] = [0, 0]
  return values
    .map((value, i) => {
      sum += value
      squares += value ** 2
      const variance = (squares - sum ** 2 / (i + 1)) / i
      return sum / Math.sqrt((i + 1) * variance)
    })
    .slice(1)
}

describe('a p value that is valid at all looks', () => {
  test('is one over the martingale, written with plain sums', () => {
    // Wang and Ramdas: sqrt(c² / (n + c²)) ((n + c²) V / ((n + c²) V - S²))^(n / 2), with c = 1.
    const values = [0.3, 1.2, 0.7, -0.2, 0.9, 1.4, 0.5]
    const n = values.length
    const sum = values.reduce((total, value) => total + value, 0)
    const scaled = (n + 1) * values.reduce((total, value) => total + value ** 2, 0)
    const martingale = Math.sqrt(1 / (n + 1)) * (scaled / (scaled - sum ** 2)) ** (n / 2)
    expect(alwaysValidTail(statisticsOf(values).at(-1) as number, n)).toBeCloseTo(1 / martingale, 12)
  })

  test('is undone by the critical value', () => {
    for (const rounds of [6, 10, 40, 400])
      for (const level of [0.05, 0.01])
        expect(alwaysValidTail(alwaysValidCriticalValue(level, rounds), rounds)).toBeCloseTo(level, 12)
  })

  test('is at most 1, and not 0 even where nothing varied', () => {
    expect(alwaysValidTail(0, 6)).toBe(1)
    expect(alwaysValidTail(Infinity, 6)).toBeCloseTo(7 ** -2.5, 12)
  })

  test('is at or below 5 % at any of 200 looks in at most 5 % of series without an effect', () => {
    const series = 1000
    const wrong = Array.from({ length: series }, (_, number) => {
      const dice = new Dice('always valid', number)
      const statistics = statisticsOf(Array.from({ length: 200 }, () => dice.normal()))
      return statistics.some((t, i) => alwaysValidTail(t, i + 2) <= 0.05)
    })
    expect(wrong.filter(Boolean).length / series).toBeLessThanOrEqual(0.05)
  })
})

describe('an interval that is valid at all looks', () => {
  test('is 1.6 to 2.1 times as wide as that of Student', () => {
    const quotients = [6, 10, 20, 40].map(
      (rounds) => alwaysValidCriticalValue(0.05, rounds) / criticalValueOfT(0.05, rounds - 1),
    )
    expect(quotients.map((quotient) => Number(quotient.toFixed(2)))).toEqual([2.12, 1.71, 1.64, 1.64])
  })

  test('has no end where so few rounds cannot reach the level', () =>
    expect(alwaysValidCriticalValue(0.001, 6)).toBe(Infinity))

  test.each([0, 1, Number.NaN])('is refused for a level of %d', (level) =>
    expect(() => alwaysValidCriticalValue(level, 6)).toThrow(RangeError),
  )
})
