import { describe, expect, test } from 'vitest'
import { memberResources, type MemberResources } from '../../../src/results/schema/servers.ts'
import { metricNames, metrics } from '../../../src/results/server-metrics.ts'
import { toMemberResources, type Observation } from '../../../src/servers/resources/member-resources.ts'
import { diagnosticData, serverStatus } from '../../../src/servers/resources/sources.ts'
import { fail } from '../../fakes/fail.ts'
import { recorded, type Recording } from './recorded.ts'
import { observationOf, sampleAt } from './samples.ts'

const only = (observation: Observation): MemberResources => toMemberResources([observation])[0] ?? fail('no member')

function observe({ start, end, diagnosticData: replies }: Recording): Observation {
  const edges = [serverStatus.read(start), serverStatus.read(end)]
  const samples = [...replies.map((reply) => diagnosticData.read(reply)), ...edges].filter((sample) => sample !== null)
  const [startMs, endMs] = edges.map((edge) => edge?.atMs ?? 0) as [number, number]
  return observationOf(samples, { startMs, endMs, durationMs: endMs - startMs - 1 })
}

describe.each(['6.0.5-standalone', '6.0.5-primary'] as const)('a recorded window of %s', (name) => {
  const observation = observe(recorded(name))
  const resources = only(observation)

  test('fits the schema of a result', () => expect(memberResources.parse(resources)).toEqual(resources))

  test('has a total for every metric, or a reason why not', () => {
    const unknown = metricNames.filter((metric) => typeof resources.totals[metric] !== 'number')
    expect(unknown).toEqual(['chunkMigrations', 'replicationLagMs'])
    expect(Object.keys(resources.unavailable)).toEqual(unknown)
  })

  test('takes counters of the server from its exact readings at the edges', () => {
    const { startMs, endMs, samples } = observation
    const edge = (atMs: number | null) =>
      samples.find((sample) => sample.source === 'serverStatus' && sample.atMs === atMs)?.values
    const expected = (edge(endMs)?.journalBytes ?? NaN) - (edge(startMs)?.journalBytes ?? NaN)
    expect(expected).toBeGreaterThan(0)
    expect(resources.totals.journalBytes).toBe(expected)
  })

  test('gives the host as much CPU time as its two cores had in that time', () => {
    const cpuMs = (observation.endMs ?? 0) - (observation.startMs ?? 0)
    const total = resources.totals.hostCpuTotalMs ?? 0
    expect(total).toBeGreaterThan(2 * cpuMs * 0.9)
    expect(total).toBeLessThan(2 * cpuMs * 1.1)
    expect(resources.totals.hostCpuBusyMs).toBeLessThan(total)
  })

  test('splits the counters into seconds that add up to the totals', () => {
    const counters = metricNames.filter((metric) => metrics[metric].kind === 'counter' && metric !== 'chunkMigrations')
    const sums = counters.map((metric) => [
      metric,
      resources.perSecond[metric]?.reduce<number>((sum, rise) => sum + (rise ?? NaN), 0),
    ])
    expect(sums).toEqual(counters.map((metric) => [metric, resources.totals[metric]]))
    expect(resources.perSecond.journalBytes).toHaveLength(3)
  })
})

test('a window shorter than a second gets its share of the host CPU time around it', () => {
  const samples = [sampleAt(0, { hostCpuBusyMs: 100 }), sampleAt(1000, { hostCpuBusyMs: 200 })]
  const { totals, perSecond } = only(observationOf(samples, { startMs: 300, endMs: 700, durationMs: 400 }))
  expect(totals.hostCpuBusyMs).toBe(40)
  expect(perSecond.hostCpuBusyMs).toEqual([40])
})

test('without a sample after the window its counters are unknown, not zero', () => {
  const samples = [sampleAt(-100, { hostCpuBusyMs: 5 }), sampleAt(900, { hostCpuBusyMs: 6 })]
  const { totals, unavailable } = only(observationOf(samples))
  expect(totals.hostCpuBusyMs).toBeNull()
  expect(unavailable.hostCpuBusyMs).toSay('resource-without-end')
})

test('a restart inside of the window voids the totals and leaves a gap in the seconds', () => {
  const samples = [0, 1000].map((ms) => sampleAt(ms, { journalBytes: 500 + ms }))
  const afterwards = [2000, 3000].map((ms) => sampleAt(ms, { journalBytes: ms }, { pid: 2 }))
  const observed = observationOf([...samples, ...afterwards], { endMs: 3000, durationMs: 3000 })
  const { restarted, totals, unavailable, perSecond } = only(observed)
  expect(restarted).toBe(true)
  expect(totals.journalBytes).toBeNull()
  expect(unavailable.journalBytes).toSay('resource-restarted')
  expect(perSecond.journalBytes).toEqual([1000, null, 1000])
})

test('a counter that fell in a server that went on (Linux lets iowait do that) is unknown, and no restart', () => {
  const samples = [sampleAt(0, { hostCpuIoWaitMs: 20 }), sampleAt(1000, { hostCpuIoWaitMs: 10 })]
  const { restarted, totals, unavailable } = only(observationOf(samples))
  expect(restarted).toBe(false)
  expect(totals.hostCpuIoWaitMs).toBeNull()
  expect(unavailable.hostCpuIoWaitMs).toSay('resource-decreased')
})

test('a member that never answered has a reason for every metric', () => {
  const trouble = { getDiagnosticData: 'no answer (MongoServerSelectionError)' }
  const polls = [{ ms: 1500, bytes: 0, ok: false }]
  const missed = { startMs: null, endMs: null, trouble, polls }
  const { source, role, totals, unavailable, sampler } = only(observationOf([], missed))
  expect({ source, role }).toEqual({ source: null, role: 'other' })
  expect(metricNames.map((name) => totals[name])).toEqual(metricNames.map(() => null))
  expect(metricNames.map((name) => unavailable[name])).toEqual(
    metricNames.map(() => expect.toSay('resource-not-available', { reason: trouble.getDiagnosticData })),
  )
  expect(sampler).toEqual({ samples: 0, failed: 1, meanMs: null, bytes: 0 })
})

test('where getDiagnosticData is refused, metrics of the host have a reason and the rest is there', () => {
  const status = { source: 'serverStatus' } as const
  const samples = [sampleAt(0, { journalBytes: 1 }, status), sampleAt(1000, { journalBytes: 3 }, status)]
  const trouble = { getDiagnosticData: 'refused (Unauthorized)' }
  const { source, totals, unavailable } = only(observationOf(samples, { trouble }))
  expect(source).toBe('serverStatus')
  expect(totals.journalBytes).toBe(2)
  expect(unavailable.diskReads).toSay('resource-not-available', { reason: trouble.getDiagnosticData })
  expect(unavailable.cacheBytes).toSay('resource-not-reported')
})

test('an edge that was missed is placed by the clock of the client, and read from the samples around it', () => {
  const samples = [0, 1000, 2000].map((ms) => sampleAt(ms, { diskReads: ms / 10 }))
  expect(only(observationOf(samples, { startMs: 500, endMs: null, durationMs: 1000 })).totals.diskReads).toBe(100)
  expect(only(observationOf(samples, { startMs: null, endMs: 1500, durationMs: 1000 })).totals.diskReads).toBe(100)
})

test('the sampler reports its cost', () => {
  const polls = [
    { ms: 2, bytes: 100, ok: true },
    { ms: 4, bytes: 50, ok: true },
    { ms: 1500, bytes: 0, ok: false },
  ]
  expect(only(observationOf([], { polls })).sampler).toEqual({ samples: 2, failed: 1, meanMs: 3, bytes: 150 })
})
