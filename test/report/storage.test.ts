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

test('sizes on disk are those of all collections together', () => {
  expect(cellsOf(fakeVariant({ phases: twoPhases, storage: storage([500, 20], [12, 492]) }))).toEqual([[512, 512, 1]])
})

test('a cell is the median of the runs, and empty where it was not reported', () => {
  const runs = [10, 30, 20].map((data, index) => fakeVariant({ run: index + 1, storage: storage([data, 0]) }))
  expect(cellsOf(...runs)).toEqual([[20, 0, 20 / 1024]])
  expect(cellsOf(fakeVariant({ storage: null }))).toEqual([[null, null, null]])
  expect(cellsOf(fakeVariant({ storage: storage() }))).toEqual([[null, null, null]])
})

const shape = aShape(aPhaseShape('load', ['insertOne']), aPhaseShape('pay', ['transfer']))

test('they belong to the row, not to a phase', () => {
  const target = { kind: 'storage', phase: 'pay' }
  expect(parseAddress('storage.totalGB', shape)).toMatchObject({ metric: 'totalGB', target })
  const issue = { reason: expect.toSay('address-of-row', { metric: 'totalGB' }), nearest: 'storage.totalGB' }
  expect([validateAddress('totalGB', shape), validateAddress('pay.totalGB', shape)]).toEqual([issue, issue])
})
