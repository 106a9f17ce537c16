import { describe, expect, test } from 'vitest'
import { type PublishedSpec } from '../../../src/metrics/report-schema.ts'
import { evaluateReport, readReportSpec } from '../../../src/report/definition/report-spec.ts'
import { comparisonJson } from '../../../src/report/formats/json.ts'
import { comparePublished } from '../../../src/report/published/compare.ts'
import { remarksOn } from '../../../src/report/published/remarks.ts'
import { type VariantResult } from '../../../src/results/schema.ts'
import { fail } from '../../fakes/fail.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { storedResult } from '../../fakes/stored-results.ts'

/** Published: 6063, 21583, 26816, 32424 and 31667 documents a second. */
const batches: PublishedSpec = {
  document: 'performance-tables',
  section: 'Impact of client write batch size on write speed',
  table: 'Performance',
  column: 'Speed (docs/s)',
  metric: 'docsPerSecond',
  rows: [{ parameter: 'batch', column: 'Write Batch Size' }],
  base: { batch: 1 },
}

/** A row of one second for each run. */
const rowOf = (
  row: number,
  parameters: VariantResult['parameters'],
  ...speeds: readonly number[]
): readonly VariantResult[] =>
  speeds.map((ok, index) =>
    fakeVariant({
      row,
      run: index + 1,
      label: `row ${row}`,
      parameters,
      phases: [fakePhase({ wallSeconds: 1, operations: [fakeOperation({ ok })] })],
    }),
  )

const withBatch = (row: number, batch: number, ...speeds: readonly number[]) =>
  rowOf(row, { batch: { value: batch } }, ...speeds)

const compared = (variants: readonly (readonly VariantResult[])[], spec: PublishedSpec = batches) =>
  comparisonJson(comparePublished(evaluateReport(fakeResult({ variants: variants.flat() })), spec))

const publishedOf = (...parts: Parameters<typeof compared>) => compared(...parts).rows.map(({ published }) => published)

test('a published row that is not what its label says has no ratio, and does not count', () => {
  const rows = [withBatch(0, 1, 6063), withBatch(1, 10, 21_583), withBatch(2, 100, 100)]
  const evaluation = evaluateReport(fakeResult({ variants: rows.flat() }))
  const comparison = comparePublished(evaluation, { ...batches, mislabelled: [{ batch: 100 }] })
  expect(comparison.rows.map(({ factor, published }) => [factor, published])).toEqual([
    [null, 6063],
    [1, 21_583],
    [null, 26_816],
  ])
  expect(comparison.ratios).toEqual({ near: 1, far: 0, of: 1 })
  expect(remarksOn(comparison).join(' ')).toContain('1 published row that is not what the label says')
})

test('a further column may be in a table that heads the same keys differently', () => {
  const usage = { table: 'Resource Usage', column: 'Read into Cache (Pages/s)', metric: 'pagesReadPerSecond' }
  const evaluation = evaluateReport(fakeResult({ variants: [...withBatch(0, 100, 1)] }))
  const { beside } = comparePublished(evaluation, { ...batches, beside: [usage] })
  expect(beside.map(({ rows }) => rows.map(({ cell }) => cell))).toEqual([[66]])
})

describe('a row finds its published row', () => {
  test('by the value of a parameter', () =>
    expect(publishedOf([withBatch(0, 1000, 5), withBatch(1, 1, 5)])).toEqual([32424, 6063]))

  test('by several keys, where an empty label is an empty cell', () => {
    const result = storedResult('hot-document')
    const { rows, notMeasured } = comparisonJson(
      comparePublished(evaluateReport(result), readReportSpec(result).published ?? fail('nothing published')),
    )
    expect(rows.map(({ published }) => published)).toEqual([
      2465, 3354, 4121, 4035, 2994, 2388, 2250, 3160, 3409, 3508, 2362, 2124,
    ])
    expect(notMeasured).toBe(0)
  })

  test('by booleans and texts alike', () => {
    const spec: PublishedSpec = {
      ...batches,
      section: 'Comparison of using UpdateOne vs. FindOneAndUpdate and upsert vs. explicit insert',
      column: 'Update Speed (docs/s)',
      rows: [
        { parameter: 'inserts', column: 'Percent Inserts' },
        { parameter: 'call', column: 'Function' },
        { parameter: 'upsert', column: 'Using Upsert' },
      ],
      base: { upsert: false },
    }
    const others = { inserts: { value: 50 }, call: { value: 'updateOne', label: 'UpdateOne' } }
    const found = [false, true].map((upsert, row) => rowOf(row, { ...others, upsert: { value: upsert } }, 5))
    expect(publishedOf(found, spec)).toEqual([2505, 3061])
  })

  test('whatever the white space in it', () => {
    const spec: PublishedSpec = {
      ...batches,
      section: 'High-level  comparison of querying types',
      column: 'Speed (Queries/s)',
      rows: [{ parameter: 'query', column: 'Query Type' }],
      base: { query: '1 document, 1 term, cached, indexed.' },
    }
    const row = rowOf(0, { query: { value: '1 document, 1 term, cached, indexed.' } }, 5)
    expect(publishedOf([row], spec)).toEqual([21884])
  })

  test('by the part of a parameter under which it was published', () => {
    const spec: PublishedSpec = {
      ...batches,
      section: 'Impact of IOPS on out-of-cache query performance',
      column: 'Speed (Queries/s)',
      rows: [
        { parameter: 'publishedAs.disk', column: 'Disk Type' },
        { parameter: 'publishedAs.iops', column: 'Disk IOPS' },
      ],
      base: { iops: 100 },
    }
    const row = rowOf(0, { iops: { value: 100 }, publishedAs: { value: { disk: 'PROVISIONED', iops: 4500 } } }, 5)
    expect(publishedOf([row], spec)).toEqual([316])
  })

  test('or none, and is left out of the counts', () => {
    const { rows, ratios, notMeasured } = compared([withBatch(0, 1, 10), withBatch(1, 7, 20), withBatch(2, 10, 30)])
    expect(rows[1]).toEqual({
      label: 'row 1',
      measured: 20,
      published: null,
      cell: null,
      measuredRatio: 2,
      interval: null,
      publishedRatio: null,
      verdict: null,
      factor: null,
      cpuUs: { measured: 180_000, published: null, factor: null },
    })
    expect(ratios).toEqual({ near: 1, far: 0, of: 1 })
    expect(notMeasured).toBe(3)
  })
})

describe('columns beside the compared one', () => {
  test('have the measured and published figures of the same rows, in other tables too', () => {
    const { beside } = compared([rowOf(0, { test: { value: '4' } }, 10), rowOf(1, { test: { value: 'none' } }, 20)], {
      document: 'bank-transfers',
      section: 'Key MongoDB tests results',
      table: 'Key MongoDB tests results',
      column: 'Transactions per second',
      metric: 'opsPerSecond',
      rows: [{ parameter: 'test', column: 'Test #' }],
      base: { test: '4' },
      beside: [
        { column: 'Clients', metric: 'operations' },
        { section: 'Latencies', table: 'Latencies', column: 'Latency, ms (max)', metric: 'wallMs' },
      ],
    })
    expect(beside.map(({ column }) => column)).toEqual(['Clients', 'Latency, ms (max)'])
    const cells = beside.map(({ rows }) => rows.map(({ measured, cell }) => ({ measured, cell })))
    expect(cells).toEqual([
      [
        { measured: 10, cell: 128 },
        { measured: 20, cell: null },
      ],
      [
        { measured: 1000, cell: 1807 },
        { measured: 1000, cell: null },
      ],
    ])
  })

  test('may have text', () => {
    const { beside } = compared([rowOf(0, { w: { value: 'NORMAL' }, j: { value: 'No' }, c: { value: 'No' } }, 10)], {
      document: 'most',
      section: 'Test Results 1, single instance, all in RAM',
      table: 'Test Results 1',
      column: 'Write Results',
      metric: 'mbPerSecond',
      rows: [
        { parameter: 'w', column: 'Write Concern' },
        { parameter: 'j', column: 'Journal' },
        { parameter: 'c', column: 'Capped' },
      ],
      base: { w: 'NORMAL' },
      beside: [{ column: 'Consistent Reads', metric: 'foundPercent' }],
    })
    expect(beside[0]?.rows.map(({ cell, published }) => [cell, published])).toEqual([['>99%', null]])
  })
})

test('ratios are to the base row, wherever it stands', () => {
  const { rows, base } = compared([withBatch(0, 10, 300), withBatch(1, 1, 200), withBatch(2, 2000, 100)])
  expect(base).toBe('row 1')
  expect(rows.map(({ measuredRatio }) => measuredRatio)).toEqual([1.5, 1, 0.5])
  expect(rows.map(({ publishedRatio }) => publishedRatio?.toFixed(2))).toEqual(['3.56', '1.00', '5.22'])
  expect(rows.map(({ factor }) => factor?.toFixed(3))).toEqual(['0.421', undefined, '0.096'])
})

test('without the base row there are no ratios', () => {
  const { base, rows, ratios } = compared([withBatch(0, 10, 300), withBatch(1, 100, 400)])
  expect(base).toBeNull()
  const none = { measuredRatio: null, publishedRatio: null }
  expect(rows).toMatchObject([none, none])
  expect(ratios).toEqual({ near: 0, far: 0, of: 0 })
})

test('from six rounds on a ratio is paired by round and has an interval', () => {
  const drifting = [100, 120, 140, 160, 180, 200]
  const quadruple = drifting.map((speed, round) => speed * (round % 2 === 0 ? 4 : 4.1))
  const { rows } = compared([withBatch(0, 1, ...drifting), withBatch(1, 10, ...quadruple)])
  expect(rows[0]?.interval).toBeNull()
  expect(rows[1]?.measuredRatio).toBeCloseTo(4.05, 2)
  expect(rows[1]?.interval?.low).toBeGreaterThan(3.95)
  expect(rows[1]?.interval?.high).toBeLessThan(4.15)
})

test('a row that was not measured to its end has no ratio', () => {
  const broken = fakeVariant({ row: 1, status: 'failed', parameters: { batch: { value: 10 } }, phases: [] })
  const { rows, ratios } = compared([withBatch(0, 1, 100), [broken]])
  expect(rows[1]).toMatchObject({ measured: null, published: 21583, measuredRatio: null, factor: null })
  expect(ratios.of).toBe(0)
})

const cpuOf = (name: string) => {
  const result = storedResult(name)
  const { rows, cpu } = comparisonJson(
    comparePublished(evaluateReport(result), readReportSpec(result).published ?? fail('nothing published')),
  )
  return { cpu, published: rows.map(({ cpuUs }) => cpuUs.published && Math.round(cpuUs.published)) }
}

describe('the CPU time of the server per unit', () => {
  test('is the published usage times the cores of the instance, by the published speed', () => {
    const { cpu, published } = cpuOf('insert-batch-size')
    // 70 % of 4 cores, at 6063 documents a second.
    expect(published[0]).toBe(462)
    expect(cpu.of).toBeGreaterThan(0)
  })

  test('finds the row of a table with several key columns, of which one may be empty', () => {
    // 63 % of 2 cores, at 2465 updates a second.
    expect(cpuOf('hot-document').published[0]).toBe(511)
  })
})

test('a result that names figures of another version is an issue', () => {
  const section = 'Impact of client write batch sizes'
  expect(() => compared([withBatch(0, 1, 5)], { ...batches, section })).toSay('published-section-unknown', { section })
})

const failing = (variants: readonly VariantResult[]) =>
  variants.map((variant) => Object.assign(variant, { status: 'failed' as const, error: 'the disk is full' }))

describe('a row that does not compare', () => {
  test('has no ratio, and is counted as left out', () => {
    const { rows, remarks } = table([withBatch(0, 1, 1000), failing(withBatch(1, 10, 4000)), withBatch(2, 100, 5000)])
    expect(rows.map(({ measuredRatio, factor }) => [measuredRatio, factor === null])).toEqual([
      [1, true],
      [null, true],
      [5, false],
    ])
    expect(remarks).toHaveLine('published-rows-left-out')
  })

  test('leaves no ratio if it is the base', () => {
    const { rows } = table([failing(withBatch(0, 1, 1000)), withBatch(1, 10, 4000)])
    expect(rows.map(({ measuredRatio }) => measuredRatio)).toEqual([null, null])
  })
})

function table(variants: readonly (readonly VariantResult[])[]) {
  const comparison = comparePublished(evaluateReport(fakeResult({ variants: variants.flat() })), batches)
  return { rows: comparison.rows, remarks: remarksOn(comparison) }
}
