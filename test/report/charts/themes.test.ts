import { describe, expect, test } from 'vitest'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { createDrawing } from '../../../src/report/charts/drawing/drawing-of.ts'
import { looks, themes } from '../../../src/report/charts/drawing/look.ts'
import { imageFile } from '../../../src/report/charts/report-chart.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { fail } from '../../fakes/fail.ts'
import { storedResult } from '../../fakes/stored-results.ts'

const channels = (colour: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)

const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map(linear)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of WCAG 2. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** Linear RGB as it appears without one kind of cones (Viénot, Brettel and Mollon 1999). */
const blindness: Readonly<Record<'protanopia' | 'deuteranopia', readonly (readonly number[])[]>> = {
  protanopia: [
    [0.112_38, 0.887_62, 0],
    [0.112_38, 0.887_62, 0],
    [0.004_01, -0.004_01, 1],
  ],
  deuteranopia: [
    [0.292_75, 0.707_25, 0],
    [0.292_75, 0.707_25, 0],
    [-0.022_34, 0.022_34, 1],
  ],
}

function seen(colour: string, kind: keyof typeof blindness): readonly number[] {
  const given = channels(colour).map(linear)
  return blindness[kind].map(
    (row) =>
      Math.max(
        0,
        row.reduce((total, share, index) => total + share * (given[index] ?? 0), 0),
      ) **
      (1 / 2.2),
  )
}

describe.each(themes)('the theme %s', (theme) => {
  const { ground, ink, faint, series, areas } = looks[theme]

  test('has texts with a contrast of at least 4.5', () => {
    for (const colour of [ink, faint]) expect(contrast(colour, ground)).toBeGreaterThanOrEqual(4.5)
    for (const area of areas) expect(contrast(ink, area)).toBeGreaterThanOrEqual(4.5)
  })

  test('has series with a contrast of at least 3', () => {
    for (const colour of series) expect(`${colour} ${contrast(colour, ground) >= 3}`).toBe(`${colour} true`)
  })

  test.each(['protanopia', 'deuteranopia'] as const)('has first colours that differ with %s', (kind) => {
    const first = series.slice(0, 3).map((colour) => seen(colour, kind))
    for (const [index, one] of first.entries())
      for (const other of first.slice(index + 1))
        expect(Math.hypot(...one.map((value, channel) => value - (other[channel] ?? 0)))).toBeGreaterThan(0.12)
  })
})

const [chart = fail('no chart')] = createCharts(evaluateReport(storedResult('quickstart')))

test('a chart survives JSON, and is then laid out as before', () => {
  const stored = JSON.parse(JSON.stringify(chart)) as typeof chart
  expect(createDrawing(stored, 'dark')).toEqual(createDrawing(chart, 'dark'))
})

test('themes differ in colours, and in nothing else', () => {
  const [light, dark] = themes.map((theme) => createDrawing(chart, theme))
  expect(light?.look).not.toEqual(dark?.look)
  expect([light?.width, light?.height, light?.marks]).toEqual([dark?.width, dark?.height, dark?.marks])
})

test('a page may have the texts beside the chart, and choose its width', () => {
  const drawing = createDrawing(chart, 'light', { width: 600, isTitled: false })
  expect(drawing).toMatchObject({ width: 600, caption: [] })
  expect(drawing.chart.options?.plugins).toMatchObject({ title: { display: false }, subtitle: { display: false } })
})

test('the image of a chart has a name of its own in the dark theme', () =>
  expect(themes.map((theme) => imageFile('a.b.png', theme))).toEqual(['a.b.png', 'a.b-dark.png']))
