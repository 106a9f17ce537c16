import { describe, expect, test } from 'vitest'
import { type HistoryEntry } from '../../../src/report/history/entry.ts'
import { type HistoryFinding, createHistorySeries } from '../../../src/report/history/history.ts'
import { exampleHistory, fakeEntry, noisy } from '../../fakes/histories.ts'

const findingsOf = (entries: readonly HistoryEntry[]): Readonly<Record<string, HistoryFinding>> =>
  Object.fromEntries(
    createHistorySeries('main', entries).flatMap(({ figures }) =>
      figures.map(({ row, measure, finding }) => [`${row} ${measure}`.trim(), finding]),
    ),
  )

/** Runs with these operations per second. */
const historyOf = (speeds: readonly number[]): readonly HistoryEntry[] =>
  speeds.map((speed, index) => fakeEntry(index + 1, { '': speed }))

const levels = (from: number, to: number, count = 10): readonly number[] =>
  Array.from({ length: 2 * count }, (_, run) => noisy(run < count ? from : to, run))

describe('a change is found', () => {
  test('where it was, with its direction and what else changed there', () =>
    expect(findingsOf(exampleHistory)).toMatchObject({
      'batch 1 opsPerSecond': { kind: 'changes', changes: [] },
      'batch 10 opsPerSecond': { changes: [{ from: 11, to: 12, effect: 'worse', besides: ['server'] }] },
      'batch 10 findOne.p99Ms': { changes: [{ from: 11, to: 12, effect: 'worse' }] },
    }))

  test('to the better', () =>
    expect(findingsOf(historyOf(levels(1000, 1200)))).toMatchObject({
      opsPerSecond: { changes: [{ effect: 'better', ratio: expect.closeTo(1.2, 1), besides: [] }] },
      'findOne.p99Ms': { changes: [{ effect: 'better' }] },
    }))

  test('as the same one every time', () =>
    expect(createHistorySeries('main', exampleHistory)).toEqual(createHistorySeries('main', exampleHistory)))
})

describe('nothing is claimed', () => {
  test('below ten runs', () => {
    const reason = expect.toSay('history-of-few-runs', { runs: 8 })
    expect(findingsOf(historyOf(levels(1000, 500, 4)))['opsPerSecond']).toEqual({ kind: 'no claim', reason })
  })

  test('where a run has 0', () => {
    const values = { opsPerSecond: { median: 0, low: 0, high: 0, runs: 1 } }
    const zero = fakeEntry(21, {}, { rows: [{ row: '', values }] })
    const reason = expect.toSay('history-without-ratio')
    expect(findingsOf([...historyOf(levels(1000, 500)), zero])['opsPerSecond']).toEqual({ kind: 'no claim', reason })
  })

  test('on a change that does not matter', () => {
    const findings = findingsOf(historyOf(levels(1000, 1010).map(Math.round)))
    expect(findings['opsPerSecond']).toEqual({ kind: 'changes', changes: [] })
  })
})

describe('a history is split', () => {
  test('by machine and by the hash of the spec, as they cannot be compared', () => {
    const entries = [
      fakeEntry(1, { '': 1000 }),
      fakeEntry(2, { '': 2000 }, { machine: 'Other CPU, 8 cores, 32 GB' }),
      fakeEntry(3, { '': 1000 }),
      fakeEntry(4, { '': 3000 }, { spec: { name: 'example', hash: 'b'.repeat(64) } }),
    ]
    const series = createHistorySeries('main', entries)
    expect(series.map(({ machine, hash, runs }) => [machine, hash, runs.length])).toEqual([
      ['Fake CPU, 2 cores, 8 GB', 'aaaaaaaa', 2],
      ['Other CPU, 8 cores, 32 GB', 'aaaaaaaa', 1],
      ['Fake CPU, 2 cores, 8 GB', 'bbbbbbbb', 1],
    ])
  })

  test('and runs keep their places where one lacks a row', () => {
    const [series] = createHistorySeries('main', [
      fakeEntry(1, { a: 1 }),
      fakeEntry(2, { b: 1 }),
      fakeEntry(3, { a: 1, b: 1 }),
    ])
    expect(series?.figures.map(({ row, points }) => [row, points.map(({ run }) => run)])).toEqual([
      ['a', [0, 2]],
      ['a', [0, 2]],
      ['b', [1, 2]],
      ['b', [1, 2]],
    ])
  })
})

test('measures are chosen by their addresses, and those of another version are left out', () => {
  const [entry = fakeEntry(1, {})] = historyOf([1000])
  const values = { ...entry.rows[0]?.values, futureMs: { median: 1, low: 1, high: 1, runs: 1 } }
  const odd = [{ ...entry, rows: [{ row: '', values }] }]
  const measuresIn = (measures?: readonly string[]): unknown =>
    createHistorySeries('main', odd, measures).flatMap(({ figures }) =>
      figures.map(({ measure, title }) => [measure, title]),
    )
  expect(measuresIn()).toEqual([
    ['opsPerSecond', 'Throughput (ops/s)'],
    ['findOne.p99Ms', 'findOne: p99 (ms)'],
  ])
  expect(measuresIn(['findOne.p99Ms'])).toEqual([['findOne.p99Ms', 'findOne: p99 (ms)']])
  expect(measuresIn(['futureMs'])).toEqual([])
})
