import { describe, expect, test } from 'vitest'
import { computeRise, type CpuTimes, type MachineReadings } from '../../../src/load/measure/machine-meter.ts'
import { type MeasuredServer, otherLoad } from '../../../src/load/measure/other-load.ts'
import { findWarnings } from '../../../src/load/measure/warnings/index.ts'
import { toMemberResources } from '../../../src/servers/resources/member-resources.ts'
import { diagnosticData, serverStatus } from '../../../src/servers/resources/sources.ts'
import { readEndedChildrenMs } from '../../../src/servers/targets/server/guardian/process-facts.ts'
import { readCpuMs } from '../../../src/servers/targets/server/guardian/process-identity.ts'
import { anAgent } from '../../fakes/an-agent.ts'
import { fakeMember, healthyPhase } from '../../fakes/fake-result.ts'
import { recorded } from '../../servers/resources/recorded.ts'
import { observationOf } from '../../servers/resources/samples.ts'

/** Ten seconds of four cores: half of their time went to processes. */
const readings: MachineReadings = { wallMs: 10_000, cores: 4, busyMs: 20_000, clientMs: 5_000, startedMs: 9_000 }

const server = (name: string, machine: string, isHere = false): MeasuredServer => ({ name, machine, isHere })
const localhost = [server('member0', '127.0.0.1', true), server('member1', '127.0.0.1', true)]

const used = (member: string, processMs: number | null, host: { processesMs: number; totalMs: number } | null) =>
  fakeMember({
    member,
    totals: {
      processCpuUs: processMs === null ? null : processMs * 1000,
      hostCpuProcessesMs: host?.processesMs ?? null,
      hostCpuTotalMs: host?.totalMs ?? null,
    },
  })

describe('servers that mongo-perf started', () => {
  const started = { startedByUs: true, servers: localhost }

  test('count with the client as its own, proxies and routers too: the rest is of others', () =>
    expect(otherLoad(readings, started, [])).toEqual([
      { runs: ['client', 'member0', 'member1'], cpuPercent: 15, usedPercent: 50 },
    ]))

  test('count with the agents on the machine of the client, and not with those on others', () => {
    const agents = [
      { ...anAgent, name: 'beside', sameMachine: true, cpuSeconds: 2 },
      { ...anAgent, name: 'far', cpuSeconds: 4 },
    ]
    expect(otherLoad(readings, { ...started, agents }, [])).toEqual([
      { runs: ['client', 'beside', 'member0', 'member1'], cpuPercent: 10, usedPercent: 50 },
    ])
  })

  test('ticks that went to the wrong process do not make less than nothing', () =>
    expect(otherLoad({ ...readings, startedMs: 16_000 }, started, [])[0]?.cpuPercent).toBe(0))

  test.each([
    ['the CPU time of one of them is unknown', { startedMs: null }],
    ['the window is too short for the ticks of the kernel', { wallMs: 999 }],
    ['the platform counts no CPU time', { busyMs: 0 }],
  ])('leave it unknown, not zero, where %s', (_, changed) =>
    expect(otherLoad({ ...readings, ...changed }, started, [])).toEqual([]),
  )
})

const beside = (...servers: readonly MeasuredServer[]) => ({ startedByUs: false, servers })

describe('servers that ran before', () => {
  test('on this machine, all of them are subtracted by what they report of themselves', () => {
    const members = [used('member0', 4_000, null), used('member1', 3_000, null)]
    expect(otherLoad(readings, beside(...localhost), members)).toEqual([
      { runs: ['client', 'member0', 'member1'], cpuPercent: 20, usedPercent: 50 },
    ])
  })

  test('on other machines, each machine has a figure, and those that share one share it', () => {
    const onDb1 = { processesMs: 9_000, totalMs: 20_000 }
    const members = [used('member0', 4_000, onDb1), used('member1', 3_000, onDb1), used('member2', 1_000, null)]
    const servers = [server('member0', 'db1'), server('member1', 'db1'), server('member2', 'db2')]
    expect(otherLoad(readings, beside(...servers), members)).toEqual([
      { runs: ['client'], cpuPercent: 37.5, usedPercent: 50 },
      { runs: ['member0', 'member1'], cpuPercent: 10, usedPercent: 45 },
    ])
  })

  test('that do not report their CPU time, or are behind a router, leave this machine unknown', () => {
    const members = [used('member0', 4_000, null), used('member1', null, null)]
    expect(otherLoad(readings, beside(...localhost), members)).toEqual([])
    expect(otherLoad(readings, beside(), [])).toEqual([])
  })
})

test.each(['6.0.5-standalone', '6.0.5-primary'] as const)(
  'the recorded host of %s had processes beside its server, and no more than all its CPU time',
  (name) => {
    const { start, end, diagnosticData: replies } = recorded(name)
    const edges = [serverStatus.read(start), serverStatus.read(end)]
    const samples = [...replies.map((reply) => diagnosticData.read(reply)), ...edges].filter((one) => one !== null)
    const [startMs = 0, endMs = 0] = edges.map((edge) => edge?.atMs)
    const members = toMemberResources([observationOf(samples, { startMs, endMs, durationMs: endMs - startMs })])
    const servers = [server('member0', 'db1')]
    const ofHost = otherLoad(readings, { startedByUs: false, servers }, members).find(({ runs }) =>
      runs.includes('member0'),
    )
    expect(ofHost?.cpuPercent).toBeGreaterThan(0)
    expect(ofHost?.cpuPercent).toBeLessThan(100)
  },
)

const noTimes: CpuTimes = { each: new Map(), endedMs: null }

const fail = (): never => {
  throw new Error('ENOENT')
}

test.each(['linux', 'darwin', 'win32'] as const)(
  'on %s, rows are not comparable where nothing reports the CPU time of servers',
  (platform) => {
    const system = { platform, read: fail, run: fail }
    const each = readCpuMs([{ pid: 7, startTime: null }], system)
    const rise = computeRise(noTimes, { each, endedMs: readEndedChildrenMs(system) })
    const found = otherLoad({ ...readings, startedMs: rise }, { startedByUs: true, servers: localhost }, [])
    const warnings = findWarnings(healthyPhase({ otherLoad: found }))
    expect(warnings.map(({ code }) => code)).toContain('other-load-unknown')
  },
)

const times = (each: readonly (readonly [object, number | null])[], endedMs: number | null = null): CpuTimes => ({
  each: new Map(each),
  endedMs,
})

describe('the CPU time of started processes', () => {
  const [one, other] = [{ pid: 1 }, { pid: 2 }]

  test('is the sum of what each used, from 0 where it was started inside of the window', () => {
    const after = times([
      [one, 160],
      [other, 30],
    ])
    expect(computeRise(times([[one, 100]]), after)).toBe(90)
    expect(computeRise(noTimes, noTimes)).toBe(0)
  })

  test('has what those used that ended inside of the window, also if they began in it or are no longer listed', () => {
    const before = times([[one, 100]], 5000)
    expect(computeRise(before, times([[one, null]], 5170))).toBe(70)
    expect(computeRise(before, times([[other, 30]], 5170))).toBe(100)
    expect(computeRise(times([], 5000), times([[one, null]], 5070))).toBe(70)
  })

  test('is that of those that run where another one ended before', () => {
    const before = times(
      [
        [one, null],
        [other, 10],
      ],
      5000,
    )
    expect(
      computeRise(
        before,
        times(
          [
            [one, null],
            [other, 30],
          ],
          5000,
        ),
      ),
    ).toBe(20)
  })

  test('is unknown where one of them ended and the system does not report of such', () => {
    const before = times([[one, 100]])
    expect(computeRise(before, times([[one, null]]))).toBeNull()
    expect(computeRise(before, times([[other, 30]]))).toBeNull()
  })

  test('of what has ended is read on Linux, where it is there', () => {
    const stat = '42 (a b) c) S 1 42 42 0 -1 4194560 100 200 0 0 11 12 130 14 20 0 1 0 5000 0 0'
    const system = { platform: 'linux' as const, read: () => stat, run: fail }
    expect(readEndedChildrenMs(system)).toBe(1440)
    expect(readEndedChildrenMs({ ...system, platform: 'darwin' })).toBeNull()
  })
})
