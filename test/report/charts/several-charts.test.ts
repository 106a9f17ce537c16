import { describe, expect, test } from 'vitest'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { type Result, type VariantResult } from '../../../src/results/schema.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { inLight } from '../../fakes/in-light.ts'

function crossed(lists: Readonly<Record<string, readonly unknown[]>>, operations: readonly string[]): Result {
  const choices = Object.entries(lists).reduce<readonly VariantResult['parameters'][]>(
    (rows, [name, values]) =>
      rows.flatMap((row) => values.map((value, choice) => ({ ...row, [name]: { value: value as number, choice } }))),
    [{}],
  )
  const phase = fakePhase({ operations: operations.map((name) => fakeOperation({ name })) })
  const variants = choices.map((parameters, row) => fakeVariant({ row, parameters, phases: [phase] }))
  return fakeResult({ variants, spec: { effective: { variants: lists as never }, varied: Object.keys(lists) } })
}

const linesIn = (result: Result, chart: object = { kind: 'percentiles' }) => {
  result.spec.report = { tables: [], charts: [chart] } as never
  return createCharts(evaluateReport(result)).map((drawn) => [
    drawn.picture.title,
    inLight(drawn).chart.data.datasets.map(({ label }) => label),
  ])
}

describe('latency by percentile', () => {
  test('is one chart of up to eight lines', () => {
    const [[title, lines] = expect.fail('no chart'), ...others] = linesIn(
      crossed({ server: ['small', 'large'], workers: [1, 2] }, ['find', 'insert']),
    )
    expect(title).toBe('Latency by percentile')
    expect(lines).toHaveLength(8)
    expect(others).toEqual([])
  })

  test('of more lines is one chart for each operation', () =>
    expect(linesIn(crossed({ server: ['small', 'large'], workers: [1, 2] }, ['find', 'insert', 'update']))).toEqual(
      ['find', 'insert', 'update'].map((operation) => [
        `Latency by percentile: ${operation}`,
        ['small, workers: 1', 'small, workers: 2', 'large, workers: 1', 'large, workers: 2'],
      ]),
    ))

  test('of one operation is one chart for each value of a parameter', () =>
    expect(linesIn(crossed({ server: ['small', 'large'], workers: [1, 2, 4, 8, 16] }, ['find']))).toEqual(
      ['small', 'large'].map((server) => [
        `Latency by percentile: ${server}`,
        ['workers: 1', 'workers: 2', 'workers: 4', 'workers: 8', 'workers: 16'],
      ]),
    ))

  test('that nothing divides is cut into charts of about as many lines', () => {
    const charts = linesIn(crossed({ workers: Array.from({ length: 18 }, (_, index) => index) }, ['find']))
    expect(charts.map(([title, lines]) => [title, lines?.length])).toEqual([
      ['Latency by percentile (1 of 3)', 6],
      ['Latency by percentile (2 of 3)', 6],
      ['Latency by percentile (3 of 3)', 6],
    ])
  })
})

describe('a chart of a single point is left out', () => {
  const bars = { kind: 'bar', x: { row: 'letter' }, y: ['opsPerSecond'] }
  const overTime = { kind: 'line', x: 'second', y: ['opsPerSecond'] }

  test('when it has bars', () => {
    expect(linesIn(crossed({}, ['find']), bars)).toEqual([])
    expect(linesIn(crossed({ workers: [1, 2] }, ['find']), bars)).toHaveLength(1)
    expect(linesIn(crossed({}, ['find']), { ...bars, y: ['p50Ms', 'p99Ms'] })).toHaveLength(1)
  })

  test('when no line has a second one to go to', () => {
    const ofOneSecond = crossed({ workers: [1, 2] }, ['find'])
    for (const { phases } of ofOneSecond.variants) for (const phase of phases) phase.wallSeconds = 1
    const [variant = expect.fail('no row')] = ofOneSecond.variants
    for (const { perSecond } of variant.phases.flatMap(({ operations }) => operations)) perSecond.ok.length = 1
    expect(linesIn(ofOneSecond, overTime)).toEqual([])
    expect(linesIn(crossed({}, ['find']), overTime)).toHaveLength(1)
  })
})

test('an axis of labels or letters is titled after what they stand for', () => {
  const titles = [{ parameter: 'label' }, { row: 'letter' }, { row: 'number' }].map((x) => {
    const result = crossed({ workers: [1, 2] }, ['find'])
    result.variants.forEach((variant, index) => Object.assign(variant, { label: `row ${index}` }))
    return linesIn(result, { kind: 'bar', x, y: ['opsPerSecond'] })[0]?.[0]
  })
  expect(titles).toEqual(titles.map(() => 'Throughput (ops/s) by Variant'))
})
