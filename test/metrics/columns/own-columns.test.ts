import { describe, expect, test } from 'vitest'
import { type OwnColumns } from '../../../src/metrics/columns/own-column.ts'
import { withColumns } from '../../../src/metrics/columns/own-columns.ts'
import { thresholdVerdicts } from '../../../src/metrics/thresholds.ts'
import { readMetric } from '../../../src/metrics/value-of.ts'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { renderReport } from '../../../src/report/report.ts'
import { result as schema, type Result } from '../../../src/results/schema.ts'
import { problemsOf } from '../../fakes/a-spec.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const perWorker = {
  title: 'Operations of a Worker',
  better: 'higher',
  value: ({ phase, operations }) => operations.reduce((sum, { ok }) => sum + ok, 0) / phase.workers,
} as const satisfies OwnColumns[string]

const mainError = {
  title: 'Main Error',
  isText: true,
  value: ({ operations }) => operations.flatMap(({ errors }) => errors)[0]?.name ?? null,
} as const satisfies OwnColumns[string]

const columns: OwnColumns = { perWorker, mainError }

const error = { code: '1', name: 'Oops', outcome: 'failed', labels: null, count: 1, message: '' } as const

/** One row with so many runs; the number of operations grows from run to run. */
function someResult(runs = 1, report: object = {}): Result {
  const variants = Array.from({ length: runs }, (_, i) =>
    fakeVariant({
      run: i + 1,
      phases: [
        fakePhase({
          name: 'mix',
          workers: 4,
          operations: [
            fakeOperation({ name: 'findOne', ok: 400 * (i + 1), errors: [error] }),
            fakeOperation({ name: 'insertOne', kind: 'insertOne', ok: 40 }),
          ],
        }),
      ],
    }),
  )
  const base = fakeResult({ variants })
  return { ...base, spec: { ...base.spec, thresholds: [], report: report as Result['spec']['report'] } }
}

const table = (...shown: string[]) => ({ tables: [{ title: 'Own', columns: shown }], charts: [] })

describe('an own column', () => {
  test('has a value for a phase, and for each operation', () => {
    const result = withColumns(someResult(), columns)
    expect(readMetric(result, 'perWorker')).toBe(110)
    expect(readMetric(result, 'mix.findOne.perWorker')).toBe(100)
    expect(readMetric(result, 'insertOne.perWorker')).toBe(10)
  })

  test('shows the median of several runs, and of texts the different ones', () => {
    const result = withColumns(someResult(3), columns)
    expect(readMetric(result, 'findOne.perWorker')).toBe(200)
    const { markdown } = renderReport({ ...result, spec: { ...result.spec, report: table('perWorker', 'mainError') } })
    expect(markdown).toMatch(/\| Operations of a Worker \| Main Error \|/)
    expect(markdown).toMatch(/\| *210\.0 *\| *Oops *\|/)
  })

  test('is drawn from a stored result without its function, and computed anew with one', () => {
    const stored = withColumns(someResult(1, table('perWorker')), columns)
    const again = schema.parse(JSON.parse(JSON.stringify(stored)))
    expect(renderReport(again).csv[0]?.text).toContain('110')
    const doubled = { perWorker: { ...perWorker, value: () => 7 } }
    expect(renderReport(again, { columns: doubled }).csv[0]?.text).toContain('\n7,')
    expect(readMetric(again, 'perWorker')).toBe(110)
  })

  test('has values for the seconds of a phase, which charts of a stored result draw, too', () => {
    const report = { tables: [], charts: [{ kind: 'line', x: 'second', y: ['perWorker'] }] }
    const result = withColumns(someResult(1, report), {
      perWorker: { ...perWorker, perSecond: () => [1, Number.NaN, 3] },
    })
    expect(result.variants[0]?.phases[0]?.columnsPerSecond).toEqual({ perWorker: [1, null, 3] })
    const again = schema.parse(JSON.parse(JSON.stringify(result)))
    expect(renderReport(again).charts[0]?.alt).toContain('0.5 → 1, 2.5 → 3')
  })

  test('may be a threshold, and what results are compared by', () => {
    const result = withColumns(someResult(6), columns)
    expect(thresholdVerdicts(result, ['findOne.perWorker > 100'])).toMatchObject([{ verdict: 'held' }])
    const { figures } = compareResults(result, result, { measures: ['mix.perWorker'] })
    expect(figures).toMatchObject([{ title: 'mix: Operations of a Worker', better: 'higher', digits: 2 }])
  })

  test('may be drawn over the rows of a chart', () => {
    const chart = { kind: 'bar', x: { row: 'run' }, rows: 'runs', y: ['perWorker', 'mix.opsPerSecond'] }
    const result = withColumns(someResult(2, { tables: table('perWorker').tables, charts: [chart] }), columns)
    expect(JSON.stringify(renderReport(result).charts)).toContain('Operations of a Worker')
  })

  test('that throws is an empty cell and a warning, which a better function replaces', () => {
    const broken: OwnColumns = {
      perWorker: {
        ...perWorker,
        value: () => {
          throw new TypeError('no workers')
        },
      },
    }
    const result = withColumns(someResult(), broken)
    expect(readMetric(result, 'perWorker')).toBeNull()
    expect(result.variants[0]?.warnings).toMatchObject([
      { code: 'column-failed', message: expect.toSay('column-failed', { error: 'no workers' }) },
    ])
    expect(withColumns(result, columns).variants[0]?.warnings).toEqual([])
  })

  test.each([[NaN], [Infinity], ['4']])('has no value where its function returns %j', (value) => {
    const odd = { perWorker: { ...perWorker, value: () => value as number } }
    expect(readMetric(withColumns(someResult(), odd), 'perWorker')).toBeNull()
  })

  test.each([
    ['opsPerSecond', 'column-name-taken', 'column-name-taken-in-spec'],
    ['per.worker', 'column-name-invalid', 'column-name-invalid-in-spec'],
  ])('cannot be called %s', (name, thrown, found) => {
    expect(() => withColumns(someResult(), { [name]: perWorker })).toSay(thrown, { name })
    expect(problemsOf({}, { columns: { [name]: perWorker } })).toSay(found, { name })
  })
})

const charting = (y: string) => problemsOf({ report: { charts: [{ kind: 'line', x: 'second', y: [y] }] } }, { columns })

describe('a spec that names an own column', () => {
  test('is valid where it is handed in', () => {
    expect(problemsOf({ report: table('perWorker') }, { columns })).toEqual([])
    expect(problemsOf({ thresholds: ['read.perWorker > 5'] }, { columns })).toEqual([])
    expect(problemsOf({}, { columns, thresholds: ['perWorker > 5'] })).toEqual([])
  })

  test('has an issue where it is not, with the nearest name', () => {
    expect(problemsOf({ report: table('perWorker') })).toSay('column-unknown-in-spec')
    expect(problemsOf({ report: table('perWorkr') }, { columns })).toSay('column-misspelt-in-spec')
  })

  test('has an issue where its values have no second, or are texts', () => {
    expect(charting('perWorker')).toSay('column-without-seconds')
    expect(charting('mainError')).toSay('column-of-text-in-chart')
  })
})
