import { expect, test } from 'vitest'
import { validateAddress, parseAddress } from '../../src/metrics/address.ts'
import { evaluateReport } from '../../src/report/definition/report-spec.ts'
import { createMeasuredTables } from '../../src/report/tables/measured.ts'
import { type VariantResult } from '../../src/results/schema.ts'
import { type Storage } from '../../src/results/schema/servers.ts'
import { aPhaseShape, aShape } from '../fakes/a-shape.ts'
import { fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'

const megabyte = 1024 * 1024

const storage = (...sizes: readonly (readonly [data: number, indexes: number])[]): Storage => ({
  collections: sizes.map(([data, indexes], index) => ({
    collection: `c${index}`,
    documents: 4 * megabyte,
    buckets: null,
    documentBytes: 3 * data * megabyte,
    dataBytes: data * megabyte,
    indexBytes: indexes * megabyte,
  })),
  afterCheckpoint: true,
})

const twoPhases = [fakePhase({ name: 'load' }), fakePhase({ name: 'pay' })]

function cellsOf(...variants: readonly VariantResult[]) {
  const tables = [{ title: 'T', columns: ['storage.dataMB', 'storage.indexMB', 'storage.totalGB'] }]
  const result = fakeResult({ variants: [...variants], spec: { report: { tables, charts: [] } as never } })
  return createMeasuredTables(evaluateReport(result))[0]?.rows.map(({ cells }) => cells)
}

test('sizes on disk are those of all collections together', () =>
  expect(cellsOf(fakeVariant({ phases: twoPhases, storage: storage([500, 20], [12, 492]) }))).toEqual([[512, 512, 1]]))

test('a cell is the median of the runs, and empty where it was not reported', () => {
  const runs = [10, 30, 20].map((data, index) => fakeVariant({ run: index + 1, storage: storage([data, 0]) }))
  expect(cellsOf(...runs)).toEqual([[20, 0, 20 / 1024]])
  expect(cellsOf(fakeVariant({ storage: null }))).toEqual([[null, null, null]])
  expect(cellsOf(fakeVariant({ storage: storage() }))).toEqual([[null, null, null]])
})

const cellOf = (column: string, collections: readonly object[]): unknown => {
  const sizes = collections.map((one, i) => ({ ...storage([1, 1]).collections[0], collection: `c${i}`, ...one }))
  const variant = fakeVariant({ storage: { collections: sizes as Storage['collections'], afterCheckpoint: true } })
  const spec = { report: { tables: [{ title: 'T', columns: [column] }], charts: [] } as never }
  return createMeasuredTables(evaluateReport(fakeResult({ variants: [variant], spec })))[0]?.rows[0]?.cells[0]
}

test('of a time series there are its buckets, and what is in one', () => {
  const both = [
    { documents: 500, buckets: null },
    { documents: 3000, buckets: 12 },
  ]
  expect(cellOf('storage.documentsPerBucket', both)).toBe(250)
  expect(cellOf('storage.bytesPerDocument', both)).toBeCloseTo((2 * megabyte) / 3500, 6)
})

test('without a time series there are no buckets, and without a count no bytes per document', () => {
  expect(cellOf('storage.documentsPerBucket', [{ documents: 500, buckets: null }])).toBeNull()
  expect(cellOf('storage.documentsPerBucket', [{ documents: null, buckets: 12 }])).toBeNull()
  expect(cellOf('storage.bytesPerDocument', [{ documents: null, buckets: 12 }])).toBeNull()
})

const shape = aShape(aPhaseShape('load', ['insertOne']), aPhaseShape('pay', ['transfer']))

test('they belong to the row, not to a phase', () => {
  const target = { kind: 'storage', phase: 'pay' }
  expect(parseAddress('storage.totalGB', shape)).toMatchObject({ metric: 'totalGB', target })
  const issue = { reason: expect.toSay('address-of-row', { metric: 'totalGB' }), nearest: 'storage.totalGB' }
  expect([validateAddress('totalGB', shape), validateAddress('pay.totalGB', shape)]).toEqual([issue, issue])
})
