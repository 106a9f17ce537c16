import { expect, test } from 'vitest'
import { createHistoryEntry } from '../../../src/report/history/entry.ts'
import { around, phaseWith, resultWith } from '../../fakes/compared-results.ts'
import { fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const result = resultWith({ 'batch 1': around(1000), 'batch 10': around(400) })

test('a result is one line with the median of each measure in each row', () => {
  const entry = createHistoryEntry(result, 'abc1234')
  expect(entry).toMatchObject({
    date: result.startedAt,
    commit: 'abc1234',
    spec: { name: 'example', hash: result.spec.hash },
    server: 'MongoDB 6.0.5, wiredTiger; standalone',
    driver: 'mongodb 7.8.0',
  })
  expect(entry.rows.map(({ row, values }) => [row, Object.keys(values)])).toEqual([
    ['batch 1', ['opsPerSecond', 'p99Ms', 'p50Ms', 'serverCpuUsPerOperation']],
    ['batch 10', ['opsPerSecond', 'p99Ms', 'p50Ms', 'serverCpuUsPerOperation']],
  ])
  const { low = 0, median = 0, high = 0, runs } = entry.rows[0]?.values['opsPerSecond'] ?? {}
  expect([low < median, median < high, runs]).toEqual([true, true, 8])
})

test('a percentile with too few samples is left out', () => {
  const few = fakeResult({ variants: [fakeVariant({ phases: [phaseWith(100)] })] })
  const measures = Object.keys(createHistoryEntry(few, null).rows[0]?.values ?? {})
  expect(measures).toEqual(['opsPerSecond', 'p50Ms', 'serverCpuUsPerOperation'])
})

/** The machine of a result whose server is like this. */
const machine = (given: object): string => {
  const { server } = fakeVariant()
  const variants = [fakeVariant({ server: server && { ...server, ...given } })]
  return createHistoryEntry(fakeResult({ variants }), null).machine
}

test('the machine is that of the client, and of servers elsewhere', () => {
  const client = machine({})
  expect(client).toMatch(/^.+, \d+ cores?, \d+ GB$/)
  expect(machine({ startedByUs: false })).toSay('history-machine-of-server', { client })
  const unknown = machine({ startedByUs: false, cores: null, memoryMB: null })
  expect(unknown).toSay('history-machine-of-unknown-server', { client })
})
