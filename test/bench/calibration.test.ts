import { describe, expect, test } from 'vitest'
import { calibration } from '../../bench/calibration.ts'
import { cpuShares } from '../../bench/calibration/cpu-samples.ts'
import { goYcsbFigures } from '../../bench/calibration/go-ycsb-tool.ts'
import { formatTables, type Round } from '../../bench/calibration/tables.ts'
import { failuresIn, ycsbFigures } from '../../bench/calibration/ycsb-output.ts'

describe('YCSB', () => {
  const statuses = `2026-01-31 10:00:00:100 0 sec: 0 operations; est completion in 0 second
2026-01-31 10:00:10:100 10 sec: 20000 operations; 2000 current ops/sec; est completion in 13 hours 53 minutes [READ: Count=10012, Max=99999, Min=90, Avg=400, 90=700, 99=9000, 99.9=20000, 99.99=90000] [UPDATE: Count=9988, Max=9, Min=9, Avg=9, 90=9, 99=9, 99.9=9, 99.99=9]
Nothing to do with the status
2026-01-31 10:00:20:350 20 sec: 61000 operations; 4000 current ops/sec; est completion in 6 hours [READ: Count=20500, Max=5000, Min=80, Avg=240.12, 90=400, 99=1234, 99.9=2500, 99.99=4000] [CLEANUP: Count=0, Max=0, Min=9, Avg=NaN, 90=0, 99=0, 99.9=0, 99.99=0] [READ-MODIFY-WRITE: Count=20500, Max=5000, Min=80, Avg=240.12, 90=400, 99=2345, 99.9=2500, 99.99=4000]
2026-01-31 10:00:21:100 21 sec: 64000 operations; 4000 current ops/sec; [READ: Count=3000, Max=1, Min=1, Avg=1, 90=1, 99=1, 99.9=1, 99.99=1]
`

  test('figures are those of the second interval, and the first is the warm-up', () =>
    expect(ycsbFigures('', statuses)).toEqual({
      opsPerSecond: 4000,
      p99Ms: { READ: 1.234, 'READ-MODIFY-WRITE': 2.345 },
      failures: 0,
      window: {
        fromMs: new Date('2026-01-31T10:00:10.100').getTime(),
        toMs: new Date('2026-01-31T10:00:20.350').getTime(),
      },
      warmupOpsPerSecond: 2000,
    }))

  test('a run that ended in its warm-up has no figures', () => {
    const untilWarm = statuses.split('\n').slice(0, 2).join('\n')
    expect(() => ycsbFigures('', untilWarm)).toHaveLine('ycsb-ended-early')
  })

  const summary = `[OVERALL], Throughput(ops/sec), 4000.5
[READ], Operations, 1000
[READ], Return=OK, 990
[READ], Return=NOT_FOUND, 10
[UPDATE], Return=ERROR, 3
`

  test('every operation that did not end with OK is a failure', () => {
    expect(failuresIn(summary)).toBe(13)
    expect(ycsbFigures(summary, statuses).failures).toBe(13)
  })
})

const goYcsbLine = (kind: string, count: number, opsPerSecond: number, p99Us: number): string =>
  `${kind.padEnd(6)} - Takes(s): 10.1, Count: ${count}, OPS: ${opsPerSecond}, Avg(us): 300, Min(us): 90, Max(us): 7000, 50th(us): 250, 90th(us): 400, 95th(us): 500, 99th(us): ${p99Us}, 99.9th(us): 3000, 99.99th(us): 5000`
const goYcsbOutput = (lines: readonly string[]): string =>
  [goYcsbLine('READ', 5, 1, 1), '**********', 'Run finished, takes 20.2s', ...lines].join('\n')

describe('go-ycsb', () => {
  test('the two calls of a read-modify-write count as one operation', () => {
    const lines = [
      goYcsbLine('READ', 10_100, 1000, 900),
      goYcsbLine('READ_MODIFY_WRITE', 5050, 500, 1800),
      goYcsbLine('TOTAL', 15_150, 1500, 1000),
      goYcsbLine('UPDATE', 5050, 500, 950),
    ]
    expect(goYcsbFigures(goYcsbOutput(lines), 50_000)).toEqual({
      opsPerSecond: 1000,
      p99Ms: { READ: 0.9, UPDATE: 0.95, 'READ-MODIFY-WRITE': 1.8 },
      failures: 0,
      window: { fromMs: 39_900, toMs: 50_000 },
    })
  })

  test('failed operations are counted, and are no throughput', () => {
    const lines = [
      goYcsbLine('INSERT', 505, 50, 700),
      goYcsbLine('READ_ERROR', 7, 1, 800),
      goYcsbLine('SCAN', 1010, 100, 900),
    ]
    expect(goYcsbFigures(goYcsbOutput(lines), 50_000)).toMatchObject({ opsPerSecond: 150, failures: 7 })
  })

  test('a run in which everything failed has no figures', () => {
    const output = goYcsbOutput([goYcsbLine('READ_ERROR', 7, 1, 800)])
    expect(() => goYcsbFigures(output, 50_000)).toHaveLine('go-ycsb-failed')
  })
})

const cpu = [0, 100, 200, 300].map((atMs) => ({ atMs, clientMs: 1000 + atMs / 2, serverMs: atMs * 2 }))

test('CPU time is that between the samples within the window', () => {
  expect(cpuShares(cpu, { fromMs: 50, toMs: 350 })).toEqual({ client: 0.5, server: 2 })
  expect(cpuShares(cpu, { fromMs: 50, toMs: 150 })).toBeUndefined()
})

const round = (opsPerSecond: number, p99Ms: number): Round => ({
  figures: { opsPerSecond, p99Ms: { READ: p99Ms }, failures: 1, window: { fromMs: 0, toMs: 300 } },
  cpu,
  traffic: { requests: 10, bytesIn: 2000, bytesOut: 10_000, connections: 9 },
})

test('tables have medians, ratios of the rounds, and no tool that did not run', () => {
  const rounds = {
    'go-ycsb': [round(1000, 2), round(2000, 1), round(3000, 3)],
    'mongo-perf wire': [round(4000, 0.5), round(4000, 0.5), round(4500, 0.5)],
  }
  const cells = formatTables([{ workload: 'c', rounds }], ['go-ycsb', 'mongo-perf wire']).replaceAll(/ +/g, ' ')
  expect(cells).toContain(
    'Throughput, ops/s\n\n| | go-ycsb | mongo-perf wire |\n| ---: | ------: | --------------: |\n| C | 2000 | 4000 |',
  )
  expect(cells).toContain('| C | 2.00 |')
  expect(cells).toContain('| C READ | 2.00 | 0.50 |')
  expect(cells).toContain('| C | 250.0 | 125.0 |')
  expect(cells).toContain('| C | 200 / 1000 | 200 / 1000 |')
  expect(cells).toContain('| C | 3 | 3 |')
  expect(cells).not.toMatch(/YCSB \||UPDATE/)
})

const nothing = () => Promise.resolve('')

test('a workload that is none is refused with those that are', async () => {
  const context = { mongod: nothing, redis: nothing, print: () => {}, part: 'z', out: undefined, quick: true }
  await expect(calibration(context)).rejects.toSay('calibration-workload-unknown', { workload: 'z' })
})
