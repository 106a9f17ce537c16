import { describe, expect, test } from 'vitest'
import { unjudged } from '../../../src/load/run-load.ts'
import { reportSpec } from '../../../src/metrics/report-schema.ts'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { renderReport } from '../../../src/report/report.ts'
import { createMeasuredTables } from '../../../src/report/tables/measured.ts'
import { type PhaseResult, type VariantResult } from '../../../src/results/schema.ts'
import { type WindowResult } from '../../../src/results/schema/windows.ts'
import { validateReport } from '../../../src/spec/rules/report/validate-report.ts'
import { aPhaseShape, aShape } from '../../fakes/a-shape.ts'
import { fail } from '../../fakes/fail.ts'
import {
  fakeLatency,
  fakeOpenLoop,
  fakeOperation,
  fakePhase,
  fakeResult,
  fakeVariant,
} from '../../fakes/fake-result.ts'
import { inLight } from '../../fakes/in-light.ts'

const aStep = (workers: number, opsPerSecond: number): WindowResult => {
  const { clamped: _, histogram: __, ...latency } = fakeLatency([workers, workers * 2])
  return {
    ...unjudged,
    purpose: 'step',
    at: workers,
    seconds: 2,
    ok: opsPerSecond * 2,
    errors: workers === 4 ? 3 : 0,
    opsPerSecond,
    latency: { ...latency, count: 1000 },
  }
}

/** A search of steps, as pairs of workers and throughput. */
const search = (best: number | null, ...steps: readonly (readonly [number, number])[]) =>
  fakePhase({
    name: 'pay',
    load: 'findPeak',
    wallSeconds: 100,
    operations: [fakeOperation({ name: 'transfer' })],
    windows: steps.map(([workers, speed]) => aStep(workers, speed)),
    outcome: { holds: [], found: best, low: best && best / 2, high: best && best * 2, confirmed: false },
  })

const usual = search(2, [1, 100], [2, 190], [4, 195], [8, 150])

function resultOf(variants: readonly VariantResult[], report: object) {
  return fakeResult({ variants: [...variants], spec: { report: report as never } })
}

function cellsOf(columns: readonly unknown[], variants: readonly VariantResult[], rest: object = {}) {
  const result = resultOf(variants, { tables: [{ title: 'T', rows: 'windows', columns, ...rest }], charts: [] })
  return (createMeasuredTables(evaluateReport(result))[0] ?? fail('no table')).rows.map(({ cells }) => cells)
}

describe('a table of steps', () => {
  test('has a row for each step, and shows what is known of it', () => {
    const columns = [{ row: 'window' }, 'wallSeconds', 'operations', 'opsPerSecond', 'meanMs', 'maxMs', 'errors']
    expect(cellsOf(columns, [fakeVariant({ phases: [usual] })])).toEqual([
      [1, 2, 200, 100, 1.5, 2, 0],
      [2, 2, 380, 190, 3, 4, 0],
      [4, 2, 390, 195, 6, 8, 3],
      [8, 2, 300, 150, 12, 16, 0],
    ])
  })

  test('shows the only operation of a phase as the phase', () => {
    const variants = [fakeVariant({ phases: [usual] })]
    expect(cellsOf(['pay.transfer.opsPerSecond'], variants)).toEqual(cellsOf(['opsPerSecond'], variants))
  })

  test('leaves the cells of several operations empty, because steps do not distinguish them', () => {
    const mixed = { ...usual, operations: [fakeOperation({ name: 'one' }), fakeOperation({ name: 'two' })] }
    const variants = [fakeVariant({ phases: [mixed] })]
    expect(cellsOf(['pay.one.opsPerSecond', 'pay.opsPerSecond'], variants)[0]).toEqual([null, 100])
  })

  test('has medians of runs, of which one may have gone further than the others', () => {
    const variants = [
      search(1, [1, 100], [2, 90]),
      search(2, [1, 120], [2, 180], [4, 170]),
      search(2, [1, 110], [2, 150]),
    ].map((phase, index) => fakeVariant({ run: index + 1, phases: [phase] }))
    expect(cellsOf([{ row: 'window' }, 'opsPerSecond'], variants)).toEqual([
      [1, 110],
      [2, 150],
      [4, 170],
    ])
  })

  test('has no rows where there was no search', () => expect(cellsOf([{ row: 'window' }], [fakeVariant()])).toEqual([]))
})

const figuresOf = (phases: readonly PhaseResult[], columns: readonly string[]) => {
  const variants = phases.map((phase, row) => fakeVariant({ row, phases: [phase] }))
  return cellsOf(columns, variants, { rows: 'variants' })
}

describe('an address with a window', () => {
  test('is of the answer of a search, or of a step by its place', () => {
    const columns = ['foundWorkers', '@found.opsPerSecond', '@found.meanMs', '@found.p99Ms', 'pay@4.opsPerSecond']
    expect(figuresOf([usual, search(null, [1, 0])], columns)).toEqual([
      [2, 190, 3, 4, 195],
      [null, null, null, null, null],
    ])
  })

  test('is of the longer step where one confirmed the answer', () => {
    const confirmed = { ...usual, windows: [...usual.windows, { ...aStep(2, 180), purpose: 'confirm' as const }] }
    expect(figuresOf([confirmed], ['@found.opsPerSecond', '@2.opsPerSecond'])).toEqual([[180, 180]])
  })

  test('is the median of the windows with a load, or without it', () => {
    const paired = fakePhase({
      name: 'pay',
      operations: [fakeOperation({ name: 'transfer' })],
      parallel: { phase: 'mixed', fromSeconds: 0, alternating: 'imports' },
      windows: [100, 120, 110].flatMap((speed, pair) => [
        { ...aStep(1, speed), at: pair, purpose: 'without' as const },
        { ...aStep(1, speed / 2), at: pair, purpose: 'with' as const },
      ]),
    })
    expect(figuresOf([paired], ['@without.opsPerSecond', 'pay@with.opsPerSecond'])).toEqual([[110, 55]])
    expect(cellsOf([{ row: 'window' }, 'opsPerSecond'], [fakeVariant({ phases: [paired] })])).toEqual([
      ['with', 55],
      ['without', 110],
    ])
  })

  test('has the response times of an open loop, which are those that windows keep', () => {
    const open = { ...search(2, [1, 100], [2, 190]), load: 'findRate' as const, openLoop: fakeOpenLoop() }
    expect(figuresOf([open], ['foundRate', '@found.responseP99Ms', '@found.p99Ms'])).toEqual([[2, 4, null]])
  })
})

const drawn = (variants: readonly VariantResult[]) => {
  const chart = { kind: 'line', x: { row: 'window' }, y: ['opsPerSecond', 'p99Ms'] }
  return createCharts(evaluateReport(resultOf(variants, { tables: [], charts: [chart] })))[0] ?? fail('no chart')
}

describe('a chart of steps', () => {
  test('draws throughput and latency by workers, and marks the best number once', () => {
    const chart = drawn([fakeVariant({ phases: [usual] })])
    const drawing = inLight(chart)
    expect(drawing.chart.data.datasets.map(({ data }) => data)).toEqual([
      [100, 190, 195, 150].map((y, index) => ({ x: 2 ** index, y })),
      [2, 4, 8, 16].map((y, index) => ({ x: 2 ** index, y })),
    ])
    expect(drawing.marks).toEqual([{ dataset: 0, index: 1, range: null, text: 'best: 2', isRinged: true }])
    expect(chart.alt).toContain('2 → 190 (best)')
  })

  test('calls the windows what the tables call them', () => {
    const chart = { kind: 'line', x: { row: 'window' }, y: ['opsPerSecond'] }
    const titleIn = (columns: readonly object[]) => {
      const tables = [{ title: 'T', rows: 'windows', columns: [...columns, 'opsPerSecond'] }]
      const [drawing] = createCharts(
        evaluateReport(resultOf([fakeVariant({ phases: [usual] })], { tables, charts: [chart] })),
      )
      const x = inLight(drawing).chart.options?.scales?.['x'] ?? fail('no axis')
      return 'title' in x ? x.title?.text : undefined
    }
    expect(titleIn([{ row: 'window', title: 'Clients' }])).toEqual(['Clients'])
    expect(titleIn([{ row: 'window' }])).toEqual(['Window'])
  })

  test('measures a wide range of workers off in equal ratios', () => {
    const drawing = inLight(drawn([fakeVariant({ phases: [search(32, [1, 10], [32, 300], [64, 300])] })]))
    expect(drawing.chart.options?.scales?.['x']?.type).toBe('logarithmic')
  })

  test('names the mark of a long line', () => {
    const long = search(8, ...Array.from({ length: 10 }, (_, step) => [2 ** step, step === 3 ? 500 : 100] as const))
    expect(drawn([fakeVariant({ phases: [long] })]).alt).toContain('from 100 to 500, best at 8')
  })

  test('marks nothing where nothing succeeded', () =>
    expect(inLight(drawn([fakeVariant({ phases: [search(null, [1, 0], [2, 0])] })])).marks).toEqual([]))
})

test('a spec that asks for nothing gets the answer of its search, its steps and its charts', () => {
  const result = fakeResult({ variants: [fakeVariant({ phases: [usual] })] })
  const { markdown } = renderReport(result)
  const [, section = ''] = markdown.split('### Best Number of Workers\n\n')
  expect(section.split('\n\n').slice(0, 2).join('\n\n')).toSay('peak-meaning')
  expect(section).toMatch(/\| +4 \| +195 \| +6\.00 \|/)
  expect(inLight(createCharts(evaluateReport(result))[0]).marks).toHaveLength(1)
})

const faultsOf = (table: object) =>
  validateReport(
    reportSpec.parse({ tables: [{ title: 'T', ...table }] }),
    aShape(aPhaseShape('pay', ['transfer'])),
    [],
  ).map(({ reason }) => reason)

describe('what cannot be shown is refused', () => {
  test('a figure that single windows do not have', () => {
    const columns = ['opsPerSecond', 'pay.cpuPercent']
    expect(faultsOf({ rows: 'windows', columns })).toSay('windows-metric-not-known', { metric: 'cpuPercent' })
  })

  test('the window of a row that is none', () =>
    expect(faultsOf({ columns: [{ row: 'window' }] })).toSay('window-without-rows'))
})
