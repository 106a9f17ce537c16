import { describe, expect, test } from 'vitest'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { coursesFinding, extremesFinding, formatHeadline, tailsFinding } from '../../../src/report/charts/headline.ts'
import { type Line, type Point } from '../../../src/report/charts/picture.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { fakePhase, fakeOperation, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const lineOf = (points: readonly (Pick<Point, 'x' | 'y'> & Partial<Point>)[], label = 'a'): Line => ({
  label,
  colourKey: label,
  keyOf: 'series',
  axis: 0,
  dots: true,
  points: points.map((point) => ({ range: null, ...point })),
})

const searched = (label: string): Line => {
  const best = { x: 16, y: 130, mark: 'best' } as const
  return lineOf([{ x: 8, y: 100 }, best], label)
}

const y = [{ title: 'Throughput (ops/s)', unit: 'ops/s', scale: 'linear' as const }]
const numbers = { kind: 'linear' as const, title: 'Batch', ticks: [] }
const categories = { kind: 'category' as const, title: 'Key', labels: ['UUID', 'ObjectId'] }
const findingOf = (x: typeof numbers | typeof categories, ...lines: readonly Line[]) =>
  extremesFinding({ x, y, lines, measures: ['opsPerSecond'] })

describe('the finding of rows', () => {
  test('is how far the extremes lie apart, in the order of the axis', () => {
    const rising = lineOf([
      { x: 1, y: 100, range: [90, 110] },
      { x: 1000, y: 560, range: [500, 600] },
    ])
    expect(findingOf(numbers, rising)).toSay('chart-finding-at', { factor: '5.6', high: '1000', low: 1 })
    const falling = lineOf([
      { x: 0, y: 100, range: [90, 110] },
      { x: 1, y: 25, range: [20, 30] },
    ])
    expect(findingOf(categories, falling)).toSay('chart-finding-for', { factor: '0.25' })
  })

  test('claims nothing where whiskers overlap, whatever the trust in the points', () => {
    const low = { x: 1, y: 100, range: [90, 120] } as const
    const high = { x: 2, y: 130, range: [119, 140] } as const
    const bound = { trust: 'lower bound' } as const
    expect(findingOf(numbers, lineOf([low, high]))).toBe('no clear difference')
    expect(findingOf(numbers, lineOf([{ ...low, ...bound }, high]))).toBe('no clear difference')
  })

  test('is a limit where the higher figure is a lower bound, and two figures where the lower one is', () => {
    const low = { x: 1, y: 100, range: [90, 110] } as const
    const high = { x: 10, y: 300, range: [290, 310] } as const
    const bound = { trust: 'lower bound' } as const
    const bounded = { ...high, ...bound }
    expect(findingOf(numbers, lineOf([low, bounded]))).toSay('chart-finding-at-least')
    expect(findingOf(numbers, lineOf([bounded, { ...low, x: 20 }]))).toSay('chart-finding-at-most')
    expect(findingOf(numbers, lineOf([{ ...low, ...bound }, high]))).toBe('from 100 ops/s (1) to 300 ops/s (10)')
  })

  test('leaves out what does not compare', () => {
    const aborted = { x: 1, y: 900, trust: 'do not compare' } as const
    const others = [100, 130].map((value, at) => ({ x: at + 2, y: value }))
    expect(findingOf(numbers, lineOf([aborted, ...others]))).toBe('from 100 ops/s (2) to 130 ops/s (3)')
  })

  test('is two figures without a ratio where nothing was repeated', () => {
    const once = lineOf([100, 130].map((value, at) => ({ x: at + 1, y: value })))
    expect(findingOf(numbers, once)).toBe('from 100 ops/s (1) to 130 ops/s (2)')
  })

  test('names the lines of several, and the best step of each search', () =>
    expect(findingOf(numbers, searched('uniform'), searched('zipfian'))).toSay('chart-finding-best'))

  test('is the highest figure of several measures on one axis', () => {
    const points = [100, 130].map((value, at) => ({ x: at + 1, y: value }))
    const lines = [lineOf(points, 'Median (ops/s)'), lineOf([...points, { x: 3, y: 150 }], 'Peak (ops/s)')]
    expect(extremesFinding({ x: numbers, y, lines, measures: ['p50Ms', 'p99Ms'] })).toBe('up to 150 ops/s (3, Peak)')
  })
})

test('the finding of a time line is its median and its range', () => {
  const line = lineOf([3, null, 1, 2].map((value, second) => ({ x: second + 0.5, y: value })))
  expect(coursesFinding({ y, lines: [line] })).toBe('median 2 ops/s, from 1 to 3')
  expect(coursesFinding({ y, lines: [line, { ...line, label: 'b' }] })).toBe('medians 2 ops/s (a), 2 ops/s (b)')
  expect(coursesFinding({ y, lines: [line, { ...line, label: 'Throughput (ops/s)' }] })).toBe(
    'medians 2 ops/s (a), 2 ops/s (Throughput)',
  )
  expect(coursesFinding({ y, lines: [line, line, line, line] })).toBe('')
})

test('the finding of distributions is their tails, if all reach so far', () => {
  const tail = (label: string, scale: number) =>
    lineOf(
      [1, 2, 10, 100].map((x) => ({ x, y: x * scale })),
      label,
    )
  expect(tailsFinding([tail('a', 0.1)])).toBe('p50 0.2 ms, p99 10 ms')
  expect(tailsFinding([tail('a', 0.1), tail('b', 0.02)])).toBe('p99 from 2 ms (b) to 10 ms (a)')
  expect(tailsFinding([tail('a', 0.1), lineOf([{ x: 1, y: 1 }])])).toBe('')
})

test('a title without a finding is that of the chart', () => {
  const picture = { kind: 'line' as const, title: 'Speed', x: numbers, y, lines: [] }
  expect(formatHeadline(picture)).toBe('Speed')
  expect(formatHeadline({ ...picture, finding: 'twice as much' })).toBe('Speed: twice as much')
})

test('the title of the chart that shows the finding of a spec is that finding, and the file keeps its name', () => {
  const variants = [0, 1].flatMap((row) =>
    Array.from({ length: 6 }, (_, run) =>
      fakeVariant({
        row,
        run: run + 1,
        label: `row ${row}`,
        parameters: { batch: { value: row === 0 ? 1 : 10 } },
        phases: [fakePhase({ operations: [fakeOperation({ ok: 1000 * (row + 1) + run })] })],
      }),
    ),
  )
  const ratio = { of: 'opsPerSecond', at: { batch: 10 }, to: { batch: 1 }, noun: 'operations per second' }
  const report = {
    let: { gain: { '@ratio': ratio } },
    finding: { text: 'Batches of `ten`', ratio: 'gain' },
    tables: [],
    charts: [{ kind: 'bar', title: 'Speed by batch', x: { parameter: 'batch' }, y: ['opsPerSecond'] }],
  }
  const [chart] = createCharts(evaluateReport(fakeResult({ variants, spec: { report: report as never } })))
  expect(chart?.title).toSay('chart-finding-of-spec')
  expect(chart?.file).toBe('speed-by-batch.png')
  expect(chart?.alt).toContain(chart?.title)
})
