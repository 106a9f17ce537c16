import { describe, expect, test } from 'vitest'
import { findBusiest } from '../../src/metrics/limited-by/busiest.ts'
import { limitRules, limitText } from '../../src/metrics/limited-by/index.ts'
import { renderReport } from '../../src/report/report.ts'
import { type PhaseResult } from '../../src/results/schema.ts'
import { type MemberResources, type ServerLimits } from '../../src/results/schema/servers.ts'
import { fakeMember, fakeOpenLoop, fakeOperation, fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'
import { noLimits } from '../fakes/no-limits.ts'

type Given = Partial<PhaseResult> & {
  readonly totals?: MemberResources['totals']
  readonly limits?: Partial<ServerLimits>
  readonly cores?: number
  readonly links?: readonly (readonly [from: string, to: string, achievedMs: number])[]
  readonly others?: readonly MemberResources[]
}

/** Nothing is busy, and nothing is written: 4000 reads of 2 ms in 4 s by 16 workers. */
const idle = {
  hostCpuBusyMs: 1000,
  hostCpuIoWaitMs: 0,
  hostCpuTotalMs: 8000,
  processCpuUs: 400_000,
  journalSyncs: 0,
  diskReads: 0,
  diskWrites: 0,
  diskReadBytes: 0,
  diskWriteBytes: 0,
  diskIoMs: 0,
  writeConflicts: 0,
  readLatencyUs: 400_000,
  readOps: 4000,
  writeLatencyUs: 0,
  writeOps: 0,
}

function runOf({ totals = {}, limits, cores = 2, links, others = [], ...given }: Given = {}) {
  const { server } = fakeVariant()
  const pairs = links?.map(([from, to, achievedMs]) => {
    return { from, to, rttMs: achievedMs, jitterMs: 0, delayed: true, achievedMs }
  })
  return fakeVariant({
    server: server && {
      ...server,
      cores,
      limits: limits === undefined ? null : { ...noLimits, ...limits },
      links: pairs === undefined ? null : { ownCostMs: null, pairs },
    },
    phases: [fakePhase({ members: [fakeMember({ totals: { ...idle, ...totals } }), ...others], ...given })],
  })
}

const scopeOf = (given: Given) => {
  const variant = runOf(given)
  const phase = variant.phases[0] ?? fakePhase()
  return { variant, phase, operations: phase.operations, streams: [] }
}

const limitIn = (...runs: readonly Given[]): string | null => limitText(runs.map(scopeOf))

const busyClient: Given = { client: { ...fakePhase().client, saturated: true, eventLoopUtilization: 0.96 } }
const busyHost: Given = { totals: { hostCpuBusyMs: 7600, processCpuUs: 4_000_000 } }
/** Two busy loops beside the run, and a server that uses 7 % of a core. */
const besideOthers: Given = {
  totals: { hostCpuBusyMs: 8000, processCpuUs: 280_000 },
  otherLoad: [{ runs: ['client', 'member0'], cpuPercent: 86, usedPercent: 99 }],
}
const writes: Given = { operations: [fakeOperation({ modified: 4000 })] }
/** A pool for whose connections each of 4000 calls waits so long. */
const waitedFor = (meanMs: number): PhaseResult['pool'] => {
  const latency = fakeOperation().latency.ok
  return {
    maxPoolSize: 4,
    maxConnecting: 2,
    waitQueueTimeoutMS: 0,
    wait: latency && { ...latency, count: 4000, meanMs },
  }
}
const secondary = (member: string) => fakeMember({ member, role: 'secondary' })

describe('a phase is limited by', () => {
  test.each<[string, Given, Record<string, number>?]>([
    ['limit-other-load', besideOthers, { percent: 86 }],
    ['limit-other-load', { ...besideOthers, ...busyClient }, { percent: 86 }],
    ['limit-offered-rate', { load: 'open', openLoop: fakeOpenLoop(), wallSeconds: 100 }],
    ['limit-client-cpu', busyClient],
    ['limit-write-conflicts', { ...writes, totals: { writeConflicts: 6000 } }],
    ['limit-server-cpu', { totals: { processCpuUs: 7_200_000 } }, { percent: 90, cores: 2 }],
    ['limit-server-cpu', { cores: 0.25, totals: { processCpuUs: 960_000 } }, { percent: 96, cores: 0.25 }],
    ['limit-server-core', { workers: 1, totals: { processCpuUs: 3_800_000 } }],
    ['limit-server-host', busyHost],
    ['limit-disk-throughput', { limits: { writeMBps: 20 }, totals: { diskWriteBytes: 76 * 2 ** 20 } }],
    ['limit-disk-iops', { limits: { readIops: 1000 }, totals: { diskReads: 3960 } }],
    ['limit-disk-busy', { totals: { diskIoMs: 3600, diskReads: 2000 } }],
    ['limit-disk-wait', { totals: { hostCpuIoWaitMs: 4800, diskReads: 2000 } }],
    ['limit-disk-wait-uncounted', { totals: { hostCpuIoWaitMs: 4800, diskReads: null } }],
    [
      'limit-journal-syncs',
      { ...writes, totals: { readOps: 0, journalSyncs: 4000, writeOps: 4000, writeLatencyUs: 8_000_000 } },
    ],
    ['limit-pool', { pool: waitedFor(0.8) }, { connections: 4 }],
    ['limit-server-host', { ...busyHost, pool: waitedFor(0.8) }],
    ['limit-round-trips', { workers: 1 }],
  ])('%s: case %#', (code, given, data) => expect(limitIn(given)).toSay(code, data))

  test.each([{}, { pool: waitedFor(0.1) }])('what is not known, case %#', (given) =>
    expect(limitIn(given)).toBe('not known'),
  )

  test('tickets, where samples of each second were kept', () => {
    const member = fakeMember({ totals: idle, perSecond: { ticketsReadOut: [128, 127, null, 126] } })
    expect(limitIn({ members: [member] })).toSay('limit-tickets')
  })

  test('round trips on the link to the primary, and on those that a majority needs', () => {
    const others = [secondary('member1'), secondary('member2')]
    const links = [
      ['client', 'member0', 1],
      ['member0', 'member1', 5],
      ['member0', 'member2', 80],
    ] as const
    expect(limitIn({ ...writes, links, others })).toSay('limit-majority-round-trips', { links: 6 })
    expect(limitIn({ links, others })).toBe('not known')
  })
})

test('a busy client hides what else is busy', () => expect(limitIn({ ...busyClient, ...busyHost })).toMatch(/^client/))

describe('other processes', () => {
  const leftOver = (cpuPercent: number, usedPercent: number | null): Given => ({
    ...besideOthers,
    otherLoad: [{ runs: ['client', 'member0'], cpuPercent, usedPercent }],
  })

  test.each<[string, Given, string]>([
    ['limit nothing where cores are idle', leftOver(60, 80), 'not known'],
    ['limit nothing where they use little', leftOver(9, 99), 'not known'],
    ['limit on a full host, in results without the use of the machine', leftOver(60, null), 'other programs'],
    ['do not make the server the limit, where they are unknown', { ...besideOthers, otherLoad: [] }, 'not known'],
  ])('%s', (_, given, expected) => expect(limitIn(given)?.replace(/ \(.*/, '')).toBe(expected))

  test('are unknown in a window below a second, and so is the limit', () => {
    const short = { ...busyHost, otherLoad: [], wallSeconds: 0.4 }
    expect(limitIn(short)).toBe('not known (window under 1 s)')
    expect(limitIn(short, short, busyHost)).toBe('not known')
  })
})

test('many conflicts explain the CPU time of the server', () => {
  const totals = { writeConflicts: 6000, hostCpuBusyMs: 7600, processCpuUs: 4_000_000 }
  expect(limitIn({ ...writes, totals })).toMatch(/^write conflicts/)
})

test('a few conflicts between documents of a batch limit nothing', () => {
  const operations = [fakeOperation({ ok: 4, modified: 4000 })]
  expect(limitIn({ operations, totals: { writeConflicts: 40 } })).toBe('not known')
})

test('an open loop that fell behind is not limited by its rate', () =>
  expect(limitIn({ load: 'open', openLoop: fakeOpenLoop(), wallSeconds: 110 })).toBe('not known'))

test('a throttled closed loop that keeps its rate is limited by it, and one that does not is not', () => {
  expect(limitIn({ maxRatePerSecond: 1000, operations: [fakeOperation({ ok: 4000 })] })).toSay('limit-offered-rate')
  expect(limitIn({ maxRatePerSecond: 1100, operations: [fakeOperation({ ok: 4000 })] })).toBe('not known')
})

test('workers that pause for most of the time limit a phase', () => {
  expect(limitIn({ pauses: true, workers: 40, operations: [fakeOperation({ ok: 4000 })] })).toSay('limit-pauses')
  expect(limitIn({ pauses: false, workers: 40, operations: [fakeOperation({ ok: 4000 })] })).toBe('not known')
})

test('writes that outlast many syncs wait for something else', () => {
  const totals = { readOps: 0, journalSyncs: 4000, writeOps: 400, writeLatencyUs: 8_000_000 }
  expect(limitIn({ ...writes, totals })).toBe('not known')
})

describe('of several runs', () => {
  test('the limit is that of most, with the figures of the middle one', () => {
    const busier = { totals: { hostCpuBusyMs: 7800, processCpuUs: 4_000_000 } }
    expect(limitIn(busyHost, busyClient, busier)).toSay('limit-server-host')
  })
  test.each([
    ['half of them', [busyHost, {}]],
    ['none of them', [busyHost, busyClient, {}]],
  ])('it is not known where %s have one', (_, runs) => expect(limitIn(...runs)).toBe('not known'))
})

test('a phase without a success has none', () =>
  expect(limitIn({ ...busyClient, operations: [fakeOperation({ ok: 0 })] })).toBe('not known'))

test('the busiest CPU is that of the host or of the client, and not known where the host does not tell', () => {
  expect(findBusiest(scopeOf(busyHost))?.name).toBe('server CPU')
  expect(findBusiest(scopeOf(busyClient))?.name).toBe('client CPU')
  expect(findBusiest(scopeOf({ ...busyClient, totals: { hostCpuBusyMs: null } }))).toBeNull()
})

test('every limit has a name of its own', () =>
  expect(new Set(limitRules.map(({ name }) => name)).size).toBe(limitRules.length))

const markdownOf = (report: object, given: Given = busyHost) =>
  renderReport(fakeResult({ variants: [{ ...runOf(given), label: 'one' }], spec: { report: report as never } }))
    .markdown

describe('texts and tables', () => {
  test('may show it', () => {
    const given = { limit: { '@metric': { of: 'limitedBy', at: { label: 'one' } } } }
    const markdown = markdownOf({ let: given, analysis: 'Limited by {{limit}}.', tables: [], charts: [] })
    expect(markdown).toHaveLine('limit-in-analysis')
  })

  test('may compare it', () => {
    const given = {
      isServer: { '@cond': [{ '@eq': [{ '@metric': 'limitedBy' }, 'server CPU (its host 95 % busy)'] }, 'yes', 'no'] },
    }
    expect(markdownOf({ let: given, analysis: 'So: {{isServer}}.', tables: [], charts: [] })).toContain('So: yes.')
  })

  test('show it in the default report where a limit is known', () => {
    expect(markdownOf({})).toContain('| server CPU (its host 95 % busy) |')
    expect(markdownOf({}, {})).not.toContain('Limited by')
  })
})
