import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'

type Measurement = { readonly device: number; readonly tick: number; readonly at: Date }

const draw = (given: object, count: number): readonly Measurement[] =>
  compileJson({ '@series': given as Json }).first(count) as readonly Measurement[]

const byDevice = (drawn: readonly Measurement[]): readonly (readonly Measurement[])[] =>
  [...new Set(drawn.map(({ device }) => device))].map((device) => drawn.filter((one) => one.device === device))

/** Seconds from each time to the next. */
const steps = (drawn: readonly Measurement[]): readonly number[] =>
  drawn.slice(1).map(({ at }, i) => (at.getTime() - (drawn[i]?.at.getTime() ?? 0)) / 1000)

const ascending = (drawn: readonly Measurement[]): boolean => steps(drawn).every((step) => step >= 0)

test('devices measure in turn, in the order of time, each at its own moment of the interval', () => {
  const drawn = draw({ devices: 7, everySeconds: 10, start: '2026-03-01T00:00:00Z' }, 70)
  expect(ascending(drawn)).toBe(true)
  expect(drawn[0]?.at.getTime()).toBeGreaterThanOrEqual(Date.UTC(2026, 2, 1))
  expect(byDevice(drawn)).toHaveLength(7)
  for (const one of byDevice(drawn)) {
    expect(one.map(({ tick }) => tick)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    for (const step of steps(one)) expect(step).toBeCloseTo(10, 2)
  }
})

test('each device has a rate of its own, between the bounds', () => {
  const devices = byDevice(draw({ devices: 200, everySeconds: { min: 5, max: 60 } }, 20_000))
  const intervals = devices.map((one) => steps(one)[0] ?? 0)
  expect(Math.min(...intervals)).toBeGreaterThan(4.9)
  expect(Math.max(...intervals)).toBeLessThan(60.1)
  expect(new Set(intervals.map(Math.round)).size).toBeGreaterThan(5)
  for (const [i, one] of devices.entries())
    for (const step of steps(one)) expect(step).toBeCloseTo(intervals[i] ?? 0, 2)
})

test('jitter moves times, and leaves the order of a device as it is', () => {
  const devices = byDevice(draw({ devices: 5, everySeconds: 10, jitter: 1 }, 1000))
  const all = devices.flatMap(steps)
  expect(devices.every(ascending)).toBe(true)
  expect(Math.max(...all)).toBeLessThanOrEqual(20)
  expect(all.filter((step) => Math.abs(step - 10) > 2).length).toBeGreaterThan(300)
})

test('every device is silent at its own times, for as long as a gap', () => {
  const gaps = { everySeconds: 300, seconds: 120 }
  const devices = byDevice(draw({ devices: 5, everySeconds: 10, gaps }, 3000))
  for (const one of devices) {
    const long = steps(one).filter((step) => step > 20)
    for (const step of long) expect(step).toBeCloseTo(130, 2)
    // 600 measurements are 6000 seconds in which it sends.
    expect(Math.abs(long.length - 20)).toBeLessThanOrEqual(1)
  }
  const first = devices.map((one) => steps(one).findIndex((step) => step > 20))
  expect(new Set(first).size).toBeGreaterThan(1)
})

describe('late measurements', () => {
  const drawn = draw({ devices: 5, everySeconds: 10, late: { share: 0.1, seconds: 500 } }, 5000)
  const onTime = draw({ devices: 5, everySeconds: 10 }, 5000)
  const delays = drawn.map(({ at }, i) => ((onTime[i]?.at.getTime() ?? 0) - at.getTime()) / 1000)

  test('are as many as they should be, and no later', () => {
    const late = delays.filter((delay) => delay > 0)
    expect(late.length).toBeGreaterThan(400)
    expect(late.length).toBeLessThan(600)
    expect(Math.max(...late)).toBeLessThanOrEqual(500)
    expect(Math.min(...delays)).toBe(0)
  })

  test('come after newer ones', () => {
    expect(ascending(onTime)).toBe(true)
    expect(ascending(drawn)).toBe(false)
  })
})
