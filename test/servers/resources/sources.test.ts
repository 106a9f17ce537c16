import { serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { metricNames } from '../../../src/results/server-metrics.ts'
import { diagnosticData, serverStatus } from '../../../src/servers/resources/sources.ts'
import { statusOf7037, statusOf804, statusOf82 } from '../../fakes/newer-replies.ts'
import { recorded } from './recorded.ts'

const start = new Date('2026-01-01T00:00:10.000Z')
const end = new Date('2026-01-01T00:00:10.004Z')
const elsewhere = ['chunkMigrations', 'replicationLagMs']

describe.each(['6.0.5-standalone', '6.0.5-primary'] as const)('%s, recorded', (name) => {
  const recording = recorded(name)

  test('getDiagnosticData returns every metric but those of shards, and the lag, which takes two members', () => {
    const sample = diagnosticData.read(recording.diagnosticData[0] ?? {})
    expect(metricNames.filter((metric) => sample?.values[metric] === undefined)).toEqual(elsewhere)
  })

  test('serverStatus returns every metric but those of the host', () => {
    const sample = serverStatus.read(recording.start)
    const missing = metricNames.filter((metric) => sample?.values[metric] === undefined)
    expect(missing.filter((metric) => !/^(hostCpu|disk)/.test(metric))).toEqual(elsewhere)
    expect(missing).toContain('hostCpuBusyMs')
  })

  test('a reply with nested documents as bytes, as the driver gives it with `raw`, reads the same', () => {
    const reply = recording.diagnosticData[1] ?? {}
    const raw = { data: serialize(reply['data'] as object), ok: 1 }
    expect(diagnosticData.read(raw)).toEqual(diagnosticData.read(reply))
  })
})

test('the role, the process and the time of a sample are those of the recorded primary', () =>
  expect(serverStatus.read(recorded('6.0.5-primary').start)).toMatchObject({
    source: 'serverStatus',
    role: 'primary',
    pid: 21168,
    uptimeMs: 1861,
    setName: '127.0.0.1:38773',
    atMs: Date.parse('2026-11-27T20:25:55.061Z'),
  }))

test('sums, sectors and several disks are computed as in the table', () => {
  const busy = { user_ms: 1, nice_ms: 2, system_ms: 4, irq_ms: 32, softirq_ms: 64 }
  const cpu = { ...busy, idle_ms: 8, iowait_ms: 16, steal_ms: 128 }
  const disks = { sda: { reads: 3, read_sectors: 10 }, sdb: { reads: 4, read_sectors: 1 } }
  const status = { process: 'mongod', extra_info: { user_time_us: 5, system_time_us: 7 } }
  const sample = diagnosticData.read({ data: { start, serverStatus: status, systemMetrics: { cpu, disks }, end } })
  expect(sample?.atMs).toBe(start.getTime() + 2)
  expect(sample?.values).toEqual({
    processCpuUs: 12,
    hostCpuBusyMs: 1 + 2 + 4 + 32 + 64 + 128,
    hostCpuProcessesMs: 1 + 2 + 4,
    hostCpuIoWaitMs: 16,
    hostCpuStealMs: 128,
    hostCpuTotalMs: 255,
    diskReads: 7,
    diskReadBytes: 11 * 512,
  })
})

test('a server without host figures (macOS, from documentation) leaves them out rather than giving zeros', () => {
  const status = { process: 'mongod', connections: { current: 3 } }
  expect(diagnosticData.read({ data: { start, serverStatus: status, end } })?.values).toEqual({ connections: 3 })
})

test('an empty disks section, as in many containers, gives no disk figures', () => {
  const data = { start, serverStatus: { process: 'mongod' }, systemMetrics: { disks: {} }, end }
  expect(diagnosticData.read({ data })?.values).toEqual({})
})

test.each([
  [
    '7.0.37 on Linux, recorded',
    statusOf7037,
    [],
    { pagesEvictedByApplication: 0, checkpoints: 6, processCpuUs: 1_096_468 + 345_755, docsExamined: 75 },
  ],
  [
    '8.0.4 on macOS, recorded',
    statusOf804,
    ['processCpuUs'],
    { pagesEvictedByApplication: 0, checkpoints: 13_670, networkBytesIn: 578_376_216, ttlDeletes: 10 },
  ],
  [
    '8.2, declared',
    statusOf82,
    [],
    { pagesEvictedByApplication: 3, ticketsReadOut: 1, ticketsWriteOut: 2, checkpoints: 2 },
  ],
])('serverStatus of %s returns every metric but those of the host', (_, reply, notOnThisSystem, values) => {
  const sample = serverStatus.read(reply)
  const missing = metricNames.filter((metric) => sample?.values[metric] === undefined)
  const ofServer = missing.filter((metric) => !/^(hostCpu|disk)/.test(metric))
  expect(ofServer).toEqual([...notOnThisSystem, ...elsewhere])
  expect(sample).toMatchObject({ role: 'primary', values })
})

test('a document split into common, shard and router is read as one, the shard first (8.0, from documentation, not recorded)', () => {
  const sample = diagnosticData.read({
    data: {
      start,
      common: { start, systemMetrics: { cpu: { iowait_ms: 11 } }, end },
      shard: { start, serverStatus: { process: 'mongod', connections: { current: 7 } }, end },
      router: { start, serverStatus: { process: 'mongos', connections: { current: 1 } }, end },
      end,
    },
  })
  expect(sample).toMatchObject({ role: 'standalone', values: { hostCpuIoWaitMs: 11, connections: 7 } })
})

test('physical network bytes count where there are any, else the plain ones', () => {
  const reply = { process: 'mongod', localTime: start }
  const both = serverStatus.read({ ...reply, network: { bytesIn: 900, physicalBytesIn: 300 } })
  const plain = serverStatus.read({ ...reply, network: { bytesIn: 900 } })
  expect([both?.values.networkBytesIn, plain?.values.networkBytesIn]).toEqual([300, 900])
})

test('an answer without a sample in it, as a router gives, has no data', () =>
  expect(diagnosticData.read({ data: {}, ok: 1 })).toBeNull())

test.each([
  ['secondary', { process: 'mongod', repl: { secondary: true, isWritablePrimary: false } }],
  ['other', { process: 'mongod', repl: { arbiterOnly: true, isWritablePrimary: false, secondary: false } }],
  ['other', { process: 'mongos' }],
  ['standalone', { process: 'mongod' }],
])('a %s is recognized by its own status', (role, status) =>
  expect(serverStatus.read({ ...status, localTime: start })?.role).toBe(role),
)
