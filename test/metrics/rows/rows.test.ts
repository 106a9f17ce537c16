import { describe, expect, test } from 'vitest'
import { parseAddress } from '../../../src/metrics/address.ts'
import { measuredCell, rowPartCell, listRows, listRunValues } from '../../../src/metrics/rows/rows.ts'
import { describeShape } from '../../../src/metrics/scope.ts'
import { fakeLatency, fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

function run(row: number, round: number, seconds: number, given: Parameters<typeof fakeVariant>[0] = {}) {
  return fakeVariant({ row, run: round, phases: [fakePhase({ wallSeconds: seconds })], ...given })
}

const repeated = fakeResult({
  variants: [
    run(1, 1, 50, { startUp: true }),
    run(0, 1, 90, { startUp: true }),
    run(0, 2, 4),
    run(1, 2, 7),
    run(0, 3, 6),
    run(1, 3, 9, { status: 'failed', error: 'it broke' }),
    run(0, 4, 5),
    run(1, 4, 8),
  ],
})
const wallSeconds = parseAddress('wallSeconds', describeShape(repeated))
const cells = (kind: Parameters<typeof listRows>[1]) =>
  listRows(repeated, kind).map((row) => measuredCell(row, wallSeconds))

test('a row is the median of its runs, start-up and unfinished runs left out', () =>
  expect(cells('variants')).toEqual([5, 7.5]))

test('how many runs did not finish is known', () =>
  expect(listRows(repeated, 'variants').map(({ leftOut }) => leftOut)).toEqual([0, 1]))

test('the values of the single runs make the range', () =>
  expect(listRows(repeated, 'variants').map((row) => listRunValues(row, wallSeconds))).toEqual([
    [4, 6, 5],
    [7, 8],
  ]))

test('every run has a row of its own, in the order of the spec', () =>
  expect(cells('runs')).toEqual([90, 4, 6, 5, 50, 7, 9, 8]))

test('a table of one row shows the first', () => expect(cells('once')).toEqual([5]))

test('a start-up run stands for a row that has no other', () => {
  const early = fakeResult({ variants: [run(0, 1, 90, { startUp: true })] })
  expect(listRows(early, 'variants').map((row) => measuredCell(row, wallSeconds))).toEqual([90])
})

describe('a row for each operation', () => {
  const phases = [
    fakePhase({ name: 'write', operations: [fakeOperation({ name: 'insertOne', ok: 400 })] }),
    fakePhase({
      name: 'read',
      operations: [fakeOperation({ name: 'find', ok: 200 }), fakeOperation({ name: 'findOne', ok: 800 })],
    }),
  ]
  const result = fakeResult({ variants: [fakeVariant({ phases })] })
  const rows = listRows(result, 'operations')
  const cellsOf = (address: string) =>
    rows.map((row) => measuredCell(row, parseAddress(address, describeShape(result), 'operations')))

  test('shows its operation', () =>
    expect(rows.map((row) => rowPartCell(row, 'operation'))).toEqual(['insertOne', 'find', 'findOne']))
  test('measures its operation', () => expect(cellsOf('opsPerSecond')).toEqual([100, 50, 200]))
  test('shows what is known for a phase only where the operation is alone in it', () =>
    expect(cellsOf('cpuPercent')).toEqual([50, null, null]))
  test('may show another place by its address', () => expect(cellsOf('write.opsPerSecond')).toEqual([100, 100, 100]))
})

test('a phase that a run did not reach leaves an empty cell', () => {
  const result = fakeResult({
    variants: [
      fakeVariant({ phases: [fakePhase(), fakePhase({ name: 'late' })] }),
      fakeVariant({ row: 1, status: 'aborted' }),
    ],
  })
  const address = parseAddress('late.wallSeconds', describeShape(result))
  expect(listRows(result, 'variants').map((row) => measuredCell(row, address))).toEqual([4, null])
})

test('letters go on after Z', () => {
  const letters = [0, 25, 26, 51, 52].map((row) => listRows(fakeResult({ variants: [run(row, 1, 1)] }), 'variants')[0])
  expect(letters.map((row) => row && rowPartCell(row, 'letter'))).toEqual(['A', 'Z', 'AA', 'AZ', 'BA'])
})

test.each([
  ['as the server told it', {}, ['6.0.5', 'standalone']],
  ['nothing where no server answered', { server: null }, [null, null]],
])('a row shows which server it ran on: %s', (_, given, told) => {
  const [row] = listRows(fakeResult({ variants: [fakeVariant(given)] }), 'variants')
  expect(row && [rowPartCell(row, 'serverVersion'), rowPartCell(row, 'topology')]).toEqual(told)
})

const timesOf = (ms: number, count: number, kept = true) => {
  const ok = fakeLatency(Array.from({ length: count }, () => ms))
  return fakeOperation({
    ok: count,
    latency: { ok: kept ? ok : { ...ok, histogram: null }, failed: null, unknown: null },
  })
}

const cellOfRuns = (address: string, ...operations: readonly ReturnType<typeof timesOf>[]) => {
  const variants = operations.map((operation, index) =>
    fakeVariant({ run: index + 1, phases: [fakePhase({ operations: [operation] })] }),
  )
  const [row] = listRows(fakeResult({ variants }), 'variants')
  return row && measuredCell(row, parseAddress(address, describeShape(repeated)))
}

describe('times of several runs', () => {
  test('are those of all their samples, not the median of the runs', () => {
    const runs = [timesOf(1, 900), timesOf(2, 80), timesOf(9, 20)]
    expect(cellOfRuns('p50Ms', ...runs)).toBe(1)
    expect(cellOfRuns('p95Ms', ...runs)).toBe(2)
    expect(cellOfRuns('p99Ms', ...runs)).toBeCloseTo(9, 2)
    expect([cellOfRuns('minMs', ...runs), cellOfRuns('maxMs', ...runs)]).toEqual([1, 9])
    expect(cellOfRuns('meanMs', ...runs)).toBeCloseTo((900 + 160 + 180) / 1000)
  })

  test('without histograms have the median of the percentiles of the runs', () =>
    expect(cellOfRuns('p50Ms', timesOf(1, 900, false), timesOf(2, 80, false), timesOf(9, 20, false))).toBe(2))

  test.each([
    ['p50Ms', 20],
    ['p95Ms', 200],
    ['p99Ms', 1000],
    ['p999Ms', 10_000],
  ])('%s needs %d samples in all runs together', (measure, needed) => {
    expect(cellOfRuns(measure, timesOf(1, needed - 10), timesOf(1, 9))).toBeNull()
    expect(cellOfRuns(measure, timesOf(1, needed - 10), timesOf(1, 10))).toBe(1)
  })
})
