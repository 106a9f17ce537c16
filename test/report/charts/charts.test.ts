import { describe, expect, test } from 'vitest'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { fontFamily, looks } from '../../../src/report/charts/drawing/look.ts'
import { styleAt, stylesFor } from '../../../src/report/charts/drawing/palette.ts'
import { wrap } from '../../../src/report/charts/drawing/wrap.ts'
import { barNumber, logRange, logTicks, scaleFor } from '../../../src/report/charts/scales.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { type Result } from '../../../src/results/schema.ts'
import { fail } from '../../fakes/fail.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { inLight } from '../../fakes/in-light.ts'
import { storedResult, storedResults } from '../../fakes/stored-results.ts'

function chartsFor(result: Result, ...charts: readonly object[]) {
  result.spec.report = { tables: [], charts: charts as never }
  return createCharts(evaluateReport(result))
}

const drawn = (result: Result, chart: object) => inLight(chartsFor(result, chart)[0])

const labels = (result: Result, chart: object) => drawn(result, chart).chart.data.datasets.map(({ label }) => label)

test.each(storedResults)('the charts of %s are plain data', (name) => {
  const charts = createCharts(evaluateReport(storedResult(name)))
  expect(charts).not.toHaveLength(0)
  expect(structuredClone(charts)).toEqual(charts)
})

const resultOfRows = (number: number) =>
  fakeResult({
    variants: Array.from({ length: number }, (_, row) =>
      fakeVariant({ row, label: `row ${row}`, phases: [fakePhase()] }),
    ),
  })

test.each([
  ['500 measures', 2, { x: { parameter: 'label' }, y: Array.from({ length: 500 }, () => 'opsPerSecond') }, 60, 2],
  ['500 categories', 500, { x: { parameter: 'label' }, y: ['opsPerSecond'] }, 1, 300],
  ['500 series', 500, { x: { row: 'serverVersion' }, y: ['opsPerSecond'], series: [{ parameter: 'label' }] }, 60, 1],
  ['what can be read', 40, { x: { parameter: 'label' }, y: ['opsPerSecond'] }, 1, 40],
])(
  'a chart draws as much as can be read, and says what it leaves out: %s',
  (_what, number, chart, lines, categories) => {
    const [{ picture } = fail('no chart')] = chartsFor(resultOfRows(number), { kind: 'bar', ...chart })
    expect([picture.lines.length, picture.x.kind === 'category' && picture.x.labels.length]).toEqual([
      lines,
      categories,
    ])
    expect(picture.lines.every(({ points }) => points.every(({ x }) => x < categories))).toBe(true)
    expect(picture.remark ?? '').toContain(number > 40 || lines > 1 ? 'Only the first' : '')
  },
)

describe('bars', () => {
  const byBatch = { kind: 'bar', x: { parameter: 'batch' }, y: ['docsPerSecond'] }
  const byLabel = { kind: 'bar', x: { parameter: 'label' }, y: ['opsPerSecond'] }

  test('of more than two numbers are points on an axis of numbers', () => {
    const { chart, ticks } = drawn(storedResult('insert-batch-size'), byBatch)
    expect(chart.options?.scales?.['x']?.type).toBe('logarithmic')
    expect(ticks['x']?.map(({ label }) => label)).toEqual(['1', '10', '100', '1000', '2000'])
    const two = { ...byBatch, where: { '@lt': [{ '@param': 'batch' }, 50] } }
    expect(drawn(storedResult('insert-batch-size'), two).chart.data.labels).toEqual([['1'], ['10']])
  })

  test('stand in the order of the rows, with the range of the repeats and their figures', () => {
    const byLetter = { ...byBatch, x: { row: 'letter' } }
    const { chart, marks } = drawn(storedResult('insert-batch-size'), byLetter)
    expect(chart.data.labels).toEqual([['A'], ['B'], ['C'], ['D'], ['E']])
    expect(marks).toHaveLength(5)
    for (const { range, text } of marks) {
      expect(range?.[0]).toBeLessThan(range?.[1] ?? 0)
      expect(text).toMatch(/^[\d,]+$/)
    }
  })

  test('have no range where nothing was repeated', () => {
    const { marks } = drawn(storedResult('query-types'), byLabel)
    expect(marks.map(({ range }) => range)).toEqual(marks.map(() => null))
  })

  test('lie down when their names are many and long', () => {
    const { chart, height } = drawn(storedResult('query-types'), byLabel)
    expect(chart.options?.indexAxis).toBe('y')
    expect(height).toBeLessThan(900)
  })

  test('leave a gap for a row without a value', () => {
    const { chart } = drawn(storedResult('query-types'), { kind: 'bar', x: { row: 'letter' }, y: ['opsPerSecond'] })
    expect(chart.data.datasets[0]?.data[11]).toBeNull()
  })

  test('stand apart where two values are called the same', () => {
    const choices = [{ value: 'a' }, { value: 'b' }, { value: 'a' }, { value: 'c', label: 'b' }]
    const variants = choices.map((mode, row) => {
      const phases = [fakePhase({ operations: [fakeOperation({ ok: 1000 * (row + 1) })] })]
      return fakeVariant({ row, parameters: { mode: { ...mode, choice: row } }, phases })
    })
    const result = fakeResult({ variants, spec: { effective: { variants: { mode: ['a', 'b', 'a', 'c'] } } } })
    for (const kind of ['bar', 'line']) {
      const { chart } = drawn(result, { kind, x: { parameter: 'mode' }, y: ['operations'] })
      expect(chart.data.labels).toEqual([['a'], ['b'], ['a'], ['b']])
      expect(chart.data.datasets.map(({ data }) => data)).toEqual([[1000, 2000, 3000, 4000]])
    }
  })

  test('of series that are called the same stand beside each other', () => {
    const variants = [0, 1].flatMap((choice) =>
      [10, 20].map((workers, i) =>
        fakeVariant({
          row: 2 * choice + i,
          parameters: { mode: { value: choice, label: 'same', choice }, workers: { value: workers, choice: i } },
        }),
      ),
    )
    const result = fakeResult({ variants, spec: { effective: { variants: { mode: [0, 1], workers: [10, 20] } } } })
    const { chart } = drawn(result, { kind: 'bar', x: { parameter: 'workers' }, y: ['operations'] })
    expect(chart.data.datasets.map(({ data }) => data)).toEqual([
      [4000, 4000],
      [4000, 4000],
    ])
  })

  test('hide no row: a parameter that varies and was not named distinguishes them', () => {
    const chart = { kind: 'bar', x: { parameter: 'workers' }, y: ['opsPerSecond'] }
    expect(labels(storedResult('hot-document'), chart)).toEqual(['updating index: no', 'updating index: yes'])
  })
})

describe('lines over a parameter', () => {
  const byWorkers = { kind: 'line', x: { parameter: 'workers' }, y: ['opsPerSecond'] }
  const legendOf = (more: object) =>
    drawn(storedResult('hot-document'), { ...byWorkers, ...more }).chart.options?.plugins?.legend?.display
  test('measure numbers off, on a logarithmic axis where the steps ask for it', () => {
    const { chart, ticks } = drawn(storedResult('hot-document'), byWorkers)
    expect(chart.options?.scales?.['x']?.type).toBe('logarithmic')
    expect(ticks['x']?.map(({ label }) => label)).toEqual(['10', '20', '50', '100', '200', '400'])
  })

  test('put labels side by side', () => {
    const { chart } = drawn(storedResult('query-types'), { kind: 'line', x: { parameter: 'label' }, y: ['p50Ms'] })
    expect(chart.options?.scales?.['x']?.type).toBe('category')
  })

  test('with two units have two axes, and the same colour for the same rows', () => {
    const chart = { ...byWorkers, y: ['opsPerSecond', 'p99Ms'], series: [{ parameter: 'updatingIndex' }] }
    const { datasets } = drawn(storedResult('hot-document'), chart).chart.data
    expect(datasets.map((set) => 'yAxisID' in set && set.yAxisID)).toEqual(['y', 'y', 'y2', 'y2'])
    expect(datasets[2]?.borderColor).toBe(datasets[0]?.borderColor)
    expect(datasets[1]?.borderColor).not.toBe(datasets[0]?.borderColor)
  })

  test('are named in a legend, even the only one that is left of a series', () => {
    const where = { '@param': 'updatingIndex' }
    expect(legendOf({ where, series: [{ parameter: 'updatingIndex' }] })).toBe(true)
    expect(legendOf({ where })).toBe(false)
  })

  test('of three units are refused', () => {
    const chart = { ...byWorkers, y: ['opsPerSecond', 'p99Ms', 'cpuPercent'] }
    expect(() => drawn(storedResult('hot-document'), chart)).toSay('chart-of-three-units')
  })
})

const overTime = { kind: 'line', x: 'second', y: ['opsPerSecond'] }
const byOperation = { ...overTime, series: [{ row: 'operation' }] }
const operationsOfQuickstart = ['findOne', 'insertOne', 'updateOne', 'lastOrders']

describe('lines per second', () => {
  test('add operations up unless asked to keep them apart', () => {
    expect(labels(storedResult('quickstart'), overTime)).toEqual(['Throughput (ops/s)'])
    expect(labels(storedResult('quickstart'), byOperation)).toEqual(operationsOfQuickstart)
  })

  test('keep operations apart where their percentiles cannot be put together', () =>
    expect(labels(storedResult('quickstart'), { ...overTime, y: ['p99Ms'] })).toHaveLength(4))

  test('of one second are marks, in the legend too, and not stretched there as lines are', () => {
    const lines = drawn(storedResult('quickstart'), byOperation)
    expect(lines.chart.options?.plugins?.legend?.labels).toMatchObject({ pointStyleWidth: 34 })
    const short = storedResult('quickstart')
    for (const { operations } of short.variants[0]?.phases ?? []) {
      for (const { perSecond } of operations.slice(0, 1)) perSecond.ok.length = 1
    }
    const { data, options } = drawn(short, byOperation).chart
    expect(data.datasets[0]).toMatchObject({ pointStyle: 'circle' })
    expect(options?.plugins?.legend?.labels).not.toHaveProperty('pointStyleWidth')
  })

  test('of a long window are thinned out: 7 days are drawn as fast as half an hour', () => {
    const seconds = 7 * 24 * 3600
    const operations = ['a', 'b', 'c', 'd'].map((name) => fakeOperation({ name, ok: seconds, seconds }))
    const phases = [fakePhase({ operations, wallSeconds: seconds })]
    const week = fakeResult({ variants: [fakeVariant({ phases })] })
    const { caption, chart } = drawn(week, byOperation)
    const { data } = chart
    expect(data.datasets).toHaveLength(4)
    for (const line of data.datasets) expect(line.data.length).toBeLessThan(2000)
    expect(caption.join(' ').split(' · ')[0]).toSay('chart-caption-seconds', { columns: 900 })
  })

  test('show one run of each repeated row, not a start-up run', () =>
    expect(labels(storedResult('insert-batch-size'), { ...overTime, y: ['docsPerSecond'] })).toHaveLength(5))
})

describe('percentiles', () => {
  const { chart, ticks } = drawn(storedResult('quickstart'), { kind: 'percentiles' })

  test('have a line for each operation', () =>
    expect(chart.data.datasets.map(({ label }) => label)).toEqual(operationsOfQuickstart))

  test('spread the tail: as much room from 0 to 90 % as from 90 to 99 %', () => {
    const places = Object.fromEntries((ticks['x'] ?? []).map(({ label, value }) => [label, Math.log10(value)]))
    expect(places).toMatchObject({ '50 %': expect.closeTo(0.3), '90 %': expect.closeTo(1), '99 %': expect.closeTo(2) })
  })

  test('never fall', () => {
    for (const { data } of chart.data.datasets) {
      const values = data.map((point) =>
        point !== null && typeof point === 'object' && 'y' in point ? (point.y ?? 0) : 0,
      )
      expect(values).toEqual(values.toSorted((a, b) => a - b))
    }
  })
})

test('the same name has the same colour in every chart of a report', () => {
  const charts = chartsFor(
    storedResult('quickstart'),
    byOperation,
    { kind: 'percentiles', series: [{ row: 'operation' }] },
    { kind: 'bar', x: { row: 'operation' }, y: ['opsPerSecond'] },
  )
  const colours = charts.map((each) => inLight(each).chart.data.datasets.map((set) => [set.label, set.borderColor]))
  expect(colours[1]).toEqual(colours[0])
})

const series = (colourKey: string) => ({ colourKey, keyOf: 'series' as const })

test('a chart of other things begins with the first colours again, unless a third one shows things of both', () => {
  const [a, b, c, d] = [series('a'), series('b'), series('c'), series('d')]
  const apart = stylesFor([
    [a, b],
    [c, d],
  ])
  expect([apart(c), apart(d)]).toEqual([apart(a), apart(b)])
  const together = stylesFor([[a], [b], [a, b]])
  expect(together(a)).not.toEqual(together(b))
})

test('more series than colours are distinguished by dashes', () => {
  const lines = Array.from({ length: 21 }, (_, index) => series(String(index)))
  const styles = lines
    .map(stylesFor([lines]))
    .map((index) => styleAt(index, looks.light))
    .map(({ colour, dash }) => `${colour} ${dash.join()}`)
  expect(new Set(styles).size).toBe(21)
})

test.each(['line', 'bar'] as const)(
  'series on two axes look different from each other in a chart of kind %s',
  (kind) => {
    const x = kind === 'line' ? 'second' : { parameter: 'writeConcern' }
    const y = ['insert.opsPerSecond', 'insert.responseP99Ms']
    const [chart] = chartsFor(storedResult('failover'), { kind, x, y, series: [{ parameter: 'writeConcern' }] })
    const shown = inLight(chart).chart.data.datasets.map(({ borderColor, backgroundColor, ...line }) =>
      JSON.stringify([borderColor, backgroundColor, 'borderDash' in line && line.borderDash]),
    )
    expect(shown.length).toBeGreaterThan(1)
    expect(new Set(shown).size).toBe(shown.length)
  },
)

test('a chart with nothing to show is left out', () => {
  const result = storedResult('quickstart')
  result.variants = []
  expect(chartsFor(result, { kind: 'bar', x: { row: 'number' }, y: ['opsPerSecond'] })).toEqual([])
})

test('a chart describes as text what it shows', () => {
  const [chart] = chartsFor(storedResult('insert-batch-size'), {
    kind: 'line',
    x: { parameter: 'batch' },
    y: ['docsPerSecond'],
  })
  expect(chart?.alt).toSay('chart-alt-of-points')
  expect(chart?.file).toBe('speed-docs-s-by-batch.png')
})

describe('a scale', () => {
  test('is logarithmic when the largest value is over 50 times the smallest', () => {
    const scales = [[1, 50], [1, 51], [0, 51], []].map((values) => scaleFor(values))
    expect(scales).toEqual(['linear', 'logarithmic', 'linear', 'linear'])
  })
  test('is found for more values than a function takes arguments', () => {
    const many = Array.from({ length: 300_000 }, (_, index) => index + 1)
    expect(scaleFor(many)).toBe('logarithmic')
    expect(logTicks(logRange(many))).toHaveLength(6)
  })
  test('is what the spec requests, as far as that can be drawn', () => {
    const scales = [scaleFor([1, 2], 'log'), scaleFor([1, 100], 'linear'), scaleFor([0, 2], 'log')]
    expect(scales).toEqual(['logarithmic', 'linear', 'linear'])
  })
  test('has round steps between its ends', () => {
    expect(logTicks([1.5, 120]).map(({ value }) => value)).toEqual([2, 5, 10, 20, 50, 100])
    expect(logTicks([0.09, 12_000]).map(({ label }) => label)).toEqual(['0.1', '1', '10', '100', '1000', '10,000'])
  })
  test('has steps of the same size in a narrow range', () =>
    expect(logTicks([0.75, 1.45]).map(({ value }) => value)).toEqual([0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4]))
  test('ends a little beyond its values', () => {
    const [from, to] = logRange([10, 1000])
    expect([from < 10, from > 5, to > 1000, to < 2000]).toEqual([true, true, true, true])
  })
})

test('figures on bars are short', () =>
  expect([12_345.6, 999.49, 0.123_45, 0].map(barNumber)).toEqual(['12,346', '999', '0.123', '0']))

test('long names break into lines of about the same length', () => {
  expect(wrap('Find 100 documents by an index, not in cache', 38)).toEqual([
    'Find 100 documents by',
    'an index, not in cache',
  ])
  expect(wrap('Unbreakable', 4)).toEqual(['Unbreakable'])
})

test.each(storedResults)('every text in the charts of %s names our own font', (name) => {
  const families: unknown[] = []
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, child] of Object.entries(node)) {
      if (key === 'font') families.push((child as { family?: string }).family)
      else walk(child)
    }
  }
  walk(createCharts(evaluateReport(storedResult(name))).map(inLight))
  expect(new Set(families)).toEqual(new Set([fontFamily]))
})

test.each(['title', 'subtitle', 'legend'] as const)('the %s of a chart has a font of its own', (part) => {
  const plugins = drawn(storedResult('quickstart'), { kind: 'percentiles' }).chart.options?.plugins
  expect(JSON.stringify(plugins?.[part])).toContain('mongo-perf sans')
})
