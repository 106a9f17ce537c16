import { describe, expect, test } from 'vitest'
import { drawChart } from '../../../src/report/charts/drawing/draw-chart.ts'
import { intervalsChart } from '../../../src/report/charts/intervals.ts'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { type Result } from '../../../src/results/schema.ts'
import { around, exampleAfter, exampleBefore, resultWith } from '../../fakes/compared-results.ts'
import { fail } from '../../fakes/fail.ts'
import { inLight } from '../../fakes/in-light.ts'

const chartOf = (a: Result, b: Result, smallestEffect?: number) =>
  intervalsChart(compareResults(a, b, { smallestEffect })) ?? fail('no chart')

describe('the chart of intervals', () => {
  const chart = chartOf(exampleBefore, exampleAfter)
  const drawing = inLight(chart)
  const { labels, datasets } = drawing.chart.data

  test('has a point with its interval for each figure, in the colour of its verdict', () => {
    expect(labels).toHaveLength(9)
    expect(datasets.map(({ label }) => label)).toEqual(['B is worse', 'B is better', 'the same', 'cannot tell'])
    expect(drawing.marks).toHaveLength(9)
    expect(drawing.dotted).toEqual([0, 1, 2, 3])
    for (const { range, text } of drawing.marks) expect([range?.[0], range?.[1], text]).not.toContain(null)
  })

  test('has a tick at 1, and a band of the smallest effect', () => {
    expect(drawing.ticks['x']?.map(({ label }) => label)).toContain('1')
    expect(drawing.guide).toEqual({ kind: 'level', band: [1 / 1.02, 1.02] })
    expect(chart.subtitle).toSay('intervals-subtitle', { effect: '2 %' })
  })

  test('spans all intervals', () => {
    const { min = fail('no end'), max = fail('no end') } = drawing.chart.options?.scales?.['x'] ?? {}
    for (const { range } of drawing.marks) {
      expect(range?.[0]).toBeGreaterThanOrEqual(Number(min))
      expect(range?.[1]).toBeLessThanOrEqual(Number(max))
    }
  })

  test('is drawn', async () => {
    const png = await drawChart(chart)
    expect(png.length).toBeGreaterThan(10_000)
  })
})

test('a wide range of ratios has ticks of powers, from a fiftieth to fifty at most', () => {
  const { ticks, marks } = inLight(chartOf(resultWith({ '': around(10_000) }), resultWith({ '': around(10) })))
  const values = ticks['x']?.map(({ value }) => value) ?? []
  expect(values).toEqual(expect.arrayContaining([0.1, 1, 10]))
  for (const { range } of marks) expect(range?.[0]).toBeGreaterThanOrEqual(1 / 50)
})

test('too many figures are cut, which the caption says', () => {
  const rows = Object.fromEntries(Array.from({ length: 20 }, (_, row) => [`row ${row}`, around(1000)]))
  const chart = chartOf(resultWith(rows), resultWith(rows))
  expect(inLight(chart).chart.data.labels).toHaveLength(40)
  expect(chart.caption).toSay('intervals-cut')
})

test('without intervals there is no chart', () => {
  const few = resultWith({ '': [100, 110] })
  expect(intervalsChart(compareResults(few, few))).toBeNull()
})
