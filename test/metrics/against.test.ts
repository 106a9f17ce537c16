import { describe, expect, test } from 'vitest'
import { evaluateReport } from '../../src/report/definition/report-spec.ts'
import { resultsHtml } from '../../src/report/html/report-html.ts'
import { createMeasuredTables } from '../../src/report/tables/measured.ts'
import { type Result } from '../../src/results/schema.ts'
import { type OperationResult } from '../../src/results/schema/calls.ts'
import { validateReport } from '../../src/spec/rules/report/validate-report.ts'
import { aPhaseShape, aShape } from '../fakes/a-shape.ts'
import { fail } from '../fakes/fail.ts'
import { fakeLatency, fakeOperation, fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'

/** Operations of each index in a run of a second, in the rounds of a machine that is not always as fast. */
const operations = { none: 1000, hashed: 3400, ordered: 2100 }

const failing = (failed: number): Partial<OperationResult> => ({
  failed,
  errors: [{ code: '11000', name: 'DuplicateKey', outcome: 'failed', labels: null, count: failed, message: '' }],
})

const noiseOf = (run: number, index: number): number =>
  (1 + 0.05 * Math.sin(run * 2.4)) * (1 + 0.02 * Math.cos(run * index))

/** Runs of each index on collections of two sizes: the larger one is half as fast. */
const resultOf = (table: object, { rounds = 6, failed = 0 } = {}): Result =>
  fakeResult({
    variants: Object.entries(operations).flatMap(([index, speed], ofIndex) =>
      [1, 2].flatMap((size, ofSize) =>
        Array.from({ length: rounds }, (_, run) =>
          fakeVariant({
            row: ofIndex * 2 + ofSize,
            run: run + 1,
            label: `index ${index}, size ${size}`,
            parameters: { index: { value: index }, size: { value: size } },
            phases: [
              fakePhase({
                wallSeconds: 1,
                operations: [
                  fakeOperation({
                    ok: Math.round((speed / size) * noiseOf(run, ofIndex)),
                    ...(index === 'none' && size === 2 && failed > 0 ? failing(failed) : {}),
                    latency: { ok: fakeLatency([1, 2]), failed: null, unknown: null },
                  }),
                ],
              }),
            ],
          }),
        ),
      ),
    ),
    spec: {
      varied: ['index', 'size'],
      repeat: { times: rounds, startUpRuns: 0 },
      report: { tables: [{ title: 'T', columns: columnsShown, ...table }], charts: [] } as never,
    },
  })

const columnsShown = [{ parameter: 'index' }, { parameter: 'size' }, 'opsPerSecond']
const againstNone = { compare: { to: { index: 'none' } } }

function tableOf(result: Result) {
  const { columns, rows, remarks } = createMeasuredTables(evaluateReport(result))[0] ?? fail('no table')
  return { title: columns.at(-1)?.title, cells: rows.map(({ cells }) => cells.at(-1)), remarks }
}

describe('a table that compares', () => {
  test('has the ratio of each row to the base row that differs in nothing else, with its interval', () =>
    expect(tableOf(resultOf(againstNone))).toEqual({
      title: 'against none (95 %)',
      cells: ['base', 'base', '3.3 (3.3 to 3.4)', '3.3 (3.3 to 3.4)', '2.1 (2.0 to 2.1)', '2.1 (2.0 to 2.1)'],
      remarks: [expect.toSay('compare-column-explained', { index: 'none' })],
    }))

  test('has no interval where runs are too few', () =>
    expect(tableOf(resultOf(againstNone, { rounds: 2 })).cells.slice(2, 4)).toEqual(['about 3.4', 'about 3.4']))

  test('has no ratio of a row that does not compare, nor to it', () => {
    const { cells } = tableOf(resultOf(againstNone, { failed: 500 }))
    expect(cells).toEqual(['base', 'base', '3.3 (3.3 to 3.4)', null, '2.1 (2.0 to 2.1)', null])
  })

  test('compares the metric that it names, and has all values in its heading', () => {
    const compare = { to: { index: 'none', size: 1 }, of: 'meanMs' }
    const { title, cells } = tableOf(resultOf({ compare }))
    expect(title).toBe('against none, size 1 (95 %)')
    expect(cells).toEqual(['base', ...Array.from({ length: 5 }, () => '1.00 (1.00 to 1.00)')])
    const ofNumbers = tableOf(resultOf({ compare: { to: { index: 'none', size: 1 } } }))
    expect(ofNumbers.title).toBe('against none, size 1 (95 %)')
    expect(ofNumbers.cells[1]).toBe('0.50 (0.50 to 0.50)')
  })

  test('says why it is empty where no row is the base', () =>
    expect(tableOf(resultOf({ compare: { to: { index: 'nome' } } }))).toMatchObject({
      cells: Array.from({ length: 6 }, () => null),
      remarks: [expect.toSay('compare-column-empty', { index: 'nome' })],
    }))

  test('is in the overview of the page, without its base rows and those that it does not show', () => {
    const where = { '@eq': [{ '@param': 'size' }, 2] }
    const html = resultsHtml([resultOf({ ...againstNone, where })])
    expect(/<div><dt>T: [^]*?<\/div>/.exec(html)?.[0]).toSay('against-in-overview')
  })
})

const shape = aShape(aPhaseShape('read', ['findOne']))
const problemsOf = (table: object) => {
  const report = { tables: [{ title: 'T', rows: 'variants', columns: ['opsPerSecond'], ...table }] }
  return validateReport(report as never, shape, ['index']).map(({ path, reason }) => `${path.join('.')}: ${reason}`)
}

test.each<[object, string]>([
  [{ to: {} }, 'compare-to-nothing'],
  [{ to: { indx: 'none' } }, 'compare-parameter-unknown'],
  [{ to: { index: 'none' }, of: 'findOne.p9Ms' }, 'compare-metric-unknown'],
  [{ to: { index: 'none' }, of: 'errors' }, 'compare-metric-without-ratio'],
])('a comparison that cannot be made is refused: %j', (compare, code) => expect(problemsOf({ compare })).toSay(code))

test('a table without rows to compare, or without a metric, is refused', () => {
  const compare = { to: { index: 'none' } }
  expect(problemsOf({ compare })).toEqual([])
  expect(problemsOf({ compare, columns: [{ parameter: 'index' }, 'errors'] })).toSay('compare-no-metric')
  expect(problemsOf({ compare, rows: 'runs' })).toSay('compare-other-rows')
  const at = [{ metric: 'opsPerSecond', at: { index: 'none' } }]
  expect(problemsOf({ compare, columns: at })).toSay('compare-other-rows')
})
