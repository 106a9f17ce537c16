import { describe, expect, test } from 'vitest'
import { type Column } from '../../src/metrics/columns/column.ts'
import { getColumn, columns, type BuiltInMetric, measures } from '../../src/metrics/columns/index.ts'
import { type Scope, createScope } from '../../src/metrics/scope.ts'
import { fail } from '../fakes/fail.ts'
import {
  fakeExplain,
  fakeLatency,
  fakeMember,
  fakeOperation,
  fakePhase,
  fakeTransactions,
  fakeVariant,
} from '../fakes/fake-result.ts'
import { storedResult } from '../fakes/stored-results.ts'

const entries: readonly (readonly [BuiltInMetric, Column])[] = measures.map((measure) => [measure, getColumn(measure)])
const perRun = entries.filter(([, column]) => 'value' in column)

function scopeFor(phase = fakePhase()): Scope {
  return { variant: fakeVariant({ phases: [phase] }), phase, operations: phase.operations, streams: phase.streams }
}

function valueOf(measure: BuiltInMetric, ...phases: readonly ReturnType<typeof fakePhase>[]): unknown {
  const column = getColumn(measure)
  if ('overRuns' in column) return column.overRuns(phases.map(scopeFor))
  return 'value' in column ? column.value(scopeFor(phases[0])) : null
}

test.each(entries)('%s has a title, a sentence that explains it, and decimals', (_, column) => {
  expect(column.title).not.toBe('')
  expect(column.meaning).toMatch(/^[A-Z0-9].*\.$/)
  expect(column.digits).toBeGreaterThanOrEqual(0)
})

test.each(entries.filter(([, { unit }]) => /^[KM]B/.test(unit)))('the title of %s has its unit', (_, column) =>
  expect(column.title).toContain(column.unit),
)

test('no two measures have the same title', () => {
  // Several checks may lose documents: whose they are is said by the name of the check.
  const titles = entries.flatMap(([, { title, of }]) => ((of as readonly string[]).includes('check') ? [] : title))
  expect(new Set(titles).size).toBe(titles.length)
})

test.each(entries.filter(([measure]) => /p\d+Ms$/i.test(measure)))(
  '%s is a percentile of samples, and better where it is lower',
  (measure, column) => {
    const share = Number(`0.${/p(\d+)Ms$/i.exec(measure)?.[1]}`)
    expect(column).toMatchObject({ better: 'lower', percentile: { share } })
  },
)

test('a percentile counts its samples', () => {
  const timed = fakeOperation({ latency: { ok: fakeLatency([1, 2, 3]), failed: null, unknown: null } })
  expect(columns.p99Ms.percentile?.samples(scopeFor(fakePhase({ operations: [timed] })))).toBe(3)
})

const unknownSteadiness = {
  lastOverFirst: null,
  isDriftSignificant: null,
  precisionPercent: null,
  checkpoints: null,
  longestGapSeconds: null,
}
const nothing = fakePhase({
  wallSeconds: 4,
  operations: [fakeOperation({ ok: 0, documents: 0, bytes: null })],
  members: [fakeMember({ source: null, totals: {}, perSecond: {} })],
  littlesLaw: null,
  steadiness: { label: 'too short', ...unknownSteadiness },
})

const samples: ReadonlySet<Column['source']> = new Set(['serverStatus', 'getDiagnosticData'])
const ofTheServer = perRun.filter(([, { source }]) => samples.has(source)).map(([measure]) => measure)
/** What a primary never reports, and what the phase itself holds. */
const toldElsewhere: ReadonlySet<BuiltInMetric> = new Set(['checkpoints', 'replicationLagMs'])
const ofThePrimary = ofTheServer.filter((measure) => !toldElsewhere.has(measure))

test.each(ofTheServer)('%s is unknown, never 0, when the server reported nothing', (measure) =>
  expect(valueOf(measure, nothing)).toBeNull(),
)

test.each(ofThePrimary)('%s is known when the server reported it', (measure) =>
  expect(valueOf(measure, fakePhase())).toBeGreaterThan(0),
)

test.each(ofThePrimary)('%s is unknown when the server restarted', (measure) =>
  expect(valueOf(measure, fakePhase({ members: [fakeMember({ restarted: true })] }))).toBeNull(),
)

const latencies = ['meanMs', 'minMs', 'p50Ms', 'p95Ms', 'p99Ms', 'p999Ms', 'maxMs', 'answerMs'] as const
const sizes = ['mbPerSecond', 'dataLoadedMB', 'meanDocumentBytes'] as const

test.each([...latencies, ...sizes, 'littlesLaw', 'checkpoints'] as const)(
  '%s is unknown, never 0, when there is nothing to compute it from',
  (measure) => expect(valueOf(measure, nothing)).toBeNull(),
)

test.each(['documents', 'docsPerSecond', 'dataLoadedMB', 'mbPerSecond', 'meanDocumentBytes'] as const)(
  '%s is empty for calls that give no documents, and those of others count beside them',
  (measure) => {
    const count = fakeOperation({ ok: 10, documents: null, bytes: null })
    expect(valueOf(measure, fakePhase({ operations: [count] }))).toBeNull()
    const read = fakeOperation({ ok: 10, documents: 20, bytes: 1000 })
    const both = valueOf(measure, fakePhase({ operations: [count, read] }))
    expect(both).toBe(valueOf(measure, fakePhase({ operations: [read] })))
    expect(both).toBeGreaterThan(0)
  },
)

test.each([
  ['wallSeconds', 4],
  ['wallMs', 4000],
  ['operations', 4000],
  ['documents', 8000],
  ['opsPerSecond', 1000],
  ['docsPerSecond', 2000],
  ['dataLoadedMB', 8],
  ['mbPerSecond', 2],
  ['meanDocumentBytes', 1048.576],
  ['errors', 30],
  ['failed', 10],
  ['unknown', 20],
  ['cpuPercent', 50],
  ['ioWaitPercent', 10],
  ['stealPercent', 0.5],
  ['serverCpuPercent', 90],
  ['serverCpuUsPerOperation', 3_600_000 / 4030],
  ['serverLatencyMs', 1],
  ['writeConflicts', 12],
  ['pagesReadPerSecond', 50],
  ['pagesReadPerOperation', 200 / 4030],
  ['cacheWrittenKBps', 5000],
  ['cacheEvictedKBps', 10_000],
  ['journalKBps', 4000],
  ['journalBytesPerOperation', 16_384_000 / 4030],
  ['journalSyncsPerSecond', 100],
  ['diskIops', 500],
  ['diskWriteMBps', 10],
  ['diskReadMBps', 2],
  ['networkOutKBps', 2000],
  ['networkInKBps', 1000],
  ['serverMemoryMB', 512],
  ['docsExaminedPerOperation', 4000 / 4030],
  ['keysExaminedPerOperation', 8000 / 4030],
  ['reads', 2000],
  ['readsPerSecond', 500],
  ['readLatencyMs', 0.5],
  ['writes', 2000],
  ['writesPerSecond', 500],
  ['writeLatencyMs', 1.5],
  ['clientCpuPercent', 55],
  ['clientCpuUsPerOperation', 2_200_000 / 4030],
  ['eventLoopPercent', 42],
  ['otherCpuPercent', 3],
  ['littlesLaw', 0.98],
  ['checkpoints', 0],
] as const)('%s is computed from the right figures', (measure, expected) => {
  const operation = fakeOperation({ ok: 4000, failed: 10, unknown: 20, documents: 8000, bytes: 8 * 1024 * 1024 })
  expect(valueOf(measure, fakePhase({ operations: [operation] }))).toBeCloseTo(expected, 6)
})

test('the primary is shown, not its secondaries', () => {
  const secondary = fakeMember({ member: 'member1', role: 'secondary', totals: { writeConflicts: 999 } })
  expect(valueOf('writeConflicts', fakePhase({ members: [secondary, fakeMember()] }))).toBe(12)
})

test('of several primaries of one set none stands for all', () =>
  expect(valueOf('writeConflicts', fakePhase({ members: [fakeMember(), fakeMember()] }))).toBeNull())

describe('of a sharded cluster', () => {
  const totals = { writeConflicts: 3, processCpuUs: 2_000_000, diskReads: 8, diskWrites: 0, replicationLagMs: 900 }
  const server = (member: string, role: 'primary' | 'secondary' | 'config' | 'router') =>
    fakeMember({ member, role, totals, perSecond: { writeConflicts: [1, 2], diskReads: [4, 4], diskWrites: [0, 0] } })
  const members = [
    server('shard0/member0', 'primary'),
    server('shard0/member1', 'secondary'),
    server('shard1/member0', 'primary'),
    server('config/member0', 'config'),
    server('router0', 'router'),
  ]
  const phase = fakePhase({ wallSeconds: 2, members })

  test('the primaries of the shards add up, and what their one host did counts once', () => {
    expect(valueOf('writeConflicts', phase)).toBe(6)
    expect(valueOf('serverCpuPercent', phase)).toBe(200)
    expect(valueOf('diskIops', phase)).toBe(4)
    expect(columns.writeConflicts.perSecond?.(scopeFor(phase))).toEqual([2, 4])
    expect(columns.diskIops.perSecond?.(scopeFor(phase))).toEqual([4, 4])
  })

  test('servers of others may be on several hosts, which add up', () => {
    const { server: info, ...variant } = fakeVariant({ phases: [phase] })
    const foreign = info && { ...info, startedByUs: false }
    expect(columns.diskIops.value({ ...scopeFor(phase), variant: { ...variant, server: foreign } })).toBe(8)
  })

  test('there is no sum where the counters of a shard began again, or one is unknown', () => {
    const [first = fail('no member'), , third = fail('no member')] = members
    const sumOf = (other: typeof third) => valueOf('writeConflicts', fakePhase({ members: [first, other] }))
    expect(sumOf(third)).toBe(6)
    expect(sumOf({ ...third, restarted: true })).toBeNull()
    expect(sumOf({ ...third, totals: {} })).toBeNull()
  })
})

test('a sum with an unknown part is unknown', () => {
  const { diskReads: _, ...totals } = fakeMember().totals
  expect(valueOf('diskIops', fakePhase({ members: [fakeMember({ totals })] }))).toBeNull()
})

test('of several machines the one with the most other load is shown, and in a table of members each its own', () => {
  const phase = fakePhase({
    otherLoad: [
      { runs: ['client'], cpuPercent: 3, usedPercent: 90 },
      { runs: ['member0', 'member1'], cpuPercent: 40, usedPercent: 90 },
    ],
  })
  expect(valueOf('otherCpuPercent', phase)).toBe(40)
  expect(valueOf('otherCpuPercent', fakePhase({ otherLoad: [] }))).toBeNull()
})

test('errors of one run are not hidden by the runs without', () => {
  const failing = fakePhase({ operations: [fakeOperation({ failed: 7 })] })
  expect(valueOf('errors', fakePhase(), failing, fakePhase())).toBe(7)
})

test('of several runs the steadiness of most is shown, of equally many the worse one', () => {
  const { steadiness } = fakePhase()
  const drifting = fakePhase({ steadiness: { ...steadiness, label: 'drifting' } })
  expect(valueOf('steadiness', fakePhase(), drifting, fakePhase())).toBe('steady')
  expect(valueOf('steadiness', fakePhase(), drifting)).toBe('drifting')
})

test('the throughput of an open loop has no precision: it was planned', () => {
  expect(valueOf('precisionPercent', fakePhase())).toBe(fakePhase().steadiness.precisionPercent)
  expect(valueOf('precisionPercent', fakePhase({ load: 'open' }))).toBeNull()
})

describe('the interval of the repeats', () => {
  const runs = [40, 50, 48, 41, 47, 50].map((cpuPercent, i) =>
    fakePhase({
      operations: [fakeOperation({ ok: 4000 + 100 * i })],
      client: { ...fakePhase().client, cpuPercent },
      members: [fakeMember({ totals: { processCpuUs: 4_000_000 + i * 200_000 } })],
    }),
  )

  test('is that of throughput', () => expect(valueOf('intervalPercent', ...runs)).toBeCloseTo(4.626, 3))
  test('is that of CPU time for each operation', () => {
    expect(valueOf('clientCpuIntervalPercent', ...runs)).toBeCloseTo(9.44, 2)
    expect(valueOf('serverCpuIntervalPercent', ...runs)).toBeCloseTo(4.14, 2)
  })
  test('is unknown for fewer than six runs, and where nothing succeeded', () => {
    expect(valueOf('intervalPercent', ...runs.slice(1))).toBeNull()
    const idle = fakePhase({ operations: [fakeOperation({ ok: 0 })] })
    expect(valueOf('intervalPercent', ...runs.slice(1), idle)).toBeNull()
    expect(valueOf('serverCpuIntervalPercent', ...runs.map(() => fakePhase({ members: [] })))).toBeNull()
  })
})

test('a last second of which less than half was measured is not drawn as a rate', () => {
  const operation = fakeOperation({ perSecond: { ...fakeOperation().perSecond, ok: [100, 100, 60] } })
  const course = (wallSeconds: number): unknown =>
    columns.opsPerSecond.perSecond(scopeFor(fakePhase({ wallSeconds, operations: [operation] })))
  expect(course(2.25)).toEqual([100, 100, null])
  expect(course(2.5)).toEqual([100, 100, 120])
  expect(course(3)).toEqual([100, 100, 60])
})

test('percentiles of one second are not put together for several operations', () => {
  const phase = fakePhase({ operations: [fakeOperation(), fakeOperation({ name: 'insertOne' })] })
  expect(columns.p99Ms.perSecond(scopeFor(phase))).toBeNull()
  expect(columns.p99Ms.perSecond(scopeFor())).toHaveLength(4)
})

test('calls that give no documents have none in any second', () => {
  const counts = fakePhase({ operations: [fakeOperation({ documents: null })] })
  expect(columns.docsPerSecond.perSecond(scopeFor(counts))).toBeNull()
  expect(columns.docsPerSecond.perSecond(scopeFor())).toHaveLength(4)
})

test('a second without a sample leaves a gap, not a 0', () => {
  expect(columns.diskIops.perSecond?.(scopeFor())).toEqual([500, 500, null, 500])
  expect(columns.cpuPercent.perSecond?.(scopeFor())?.map((value) => Math.round(value ?? 0))).toEqual([45, 50, 55, 50])
})

describe('documents', () => {
  const reads = fakeOperation({ found: 90, missing: 10 })
  const writes = fakeOperation({ name: 'update', inserted: 30, upserted: 20, matched: 150, modified: 120, deleted: 7 })
  const phase = fakePhase({ operations: [reads, writes] })

  test.each([
    ['found', 90],
    ['missing', 10],
    ['foundPercent', 90],
    ['inserted', 30],
    ['upserted', 20],
    ['matched', 150],
    ['modified', 120],
    ['deleted', 7],
    ['newPercent', 25],
  ] as const)('%s is counted over all operations that know it', (measure, expected) =>
    expect(valueOf(measure, phase)).toBe(expected),
  )

  test.each(['found', 'missing', 'foundPercent', 'newPercent'] as const)(
    '%s is unknown, never 0, where nothing was expected or written',
    (measure) => expect(valueOf(measure, nothing)).toBeNull(),
  )

  test('missing documents of one run are not hidden by the runs without', () => {
    const without = fakePhase({ operations: [fakeOperation({ found: 100, missing: 0 })] })
    expect(valueOf('missing', without, phase, without)).toBe(10)
  })
})

const sent = (arrived: number | null) =>
  fakePhase({ unacknowledged: { sent: 200, arrived, waitedMs: 20, reason: arrived === null ? 'capped' : null } })

describe('documents that were not acknowledged', () => {
  test('are those that were sent, those that arrived, and their share in the run with the least', () => {
    expect(valueOf('sent', sent(150))).toBe(200)
    expect(valueOf('arrived', sent(150))).toBe(150)
    expect(valueOf('arrivedPercent', sent(200), sent(150), sent(200))).toBe(75)
  })

  test.each(['sent', 'arrived', 'arrivedPercent'] as const)('%s is empty where writes were acknowledged', (measure) =>
    expect(valueOf(measure, fakePhase())).toBeNull(),
  )

  test('have no number that arrived if the count is inconclusive', () =>
    expect([valueOf('arrived', sent(null)), valueOf('arrivedPercent', sent(null))]).toEqual([null, null]))
})

describe('calls that did not succeed', () => {
  const error = { outcome: 'unknown' as const, labels: [], message: '' }
  const failing = (name: string, count: number) =>
    fakePhase({ operations: [fakeOperation({ errors: [{ ...error, code: name, name, count }] })] })

  test('have their most frequent error reported, over all runs', () => {
    const runs = [failing('Timeout', 3), failing('Refused', 2), failing('Refused', 2)]
    expect(valueOf('mostFrequentError', ...runs)).toBe('Refused')
    expect(valueOf('mostFrequentError', fakePhase())).toBeNull()
  })

  test('count in the time to a reply, which successful ones alone do not show', () => {
    const latency = { ok: fakeLatency([10, 20]), failed: null, unknown: fakeLatency([90]) }
    expect(valueOf('answerMs', fakePhase({ operations: [fakeOperation({ latency })] }))).toBeCloseTo(40)
  })
})

describe('what a change stream saw', () => {
  const stream = storedResult('update-api').variants[0]?.phases[0]?.streams[0] ?? fail('no stream')
  const phase = fakePhase({ wallSeconds: 5, streams: [{ ...stream, events: 500 }] })

  test('is its events and their lag', () => {
    expect(valueOf('events', phase)).toBe(500)
    expect(valueOf('eventsPerSecond', phase)).toBe(100)
    expect(valueOf('lagP99Ms', phase)).toBe(stream.lag?.p99Ms)
    expect(valueOf('lagMaxMs', phase)).toBe(stream.lag?.maxMs)
  })

  test('is unknown without a stream, of a server that does not date events, and of several streams together', () => {
    expect(valueOf('events', fakePhase())).toBeNull()
    expect(valueOf('lagP50Ms', fakePhase({ streams: [{ ...stream, lag: null }] }))).toBeNull()
    expect(valueOf('lagP50Ms', fakePhase({ streams: [stream, stream] }))).toBeNull()
  })

  test('counts its errors among those of the phase', () => {
    const lost = { code: '286', name: 'ChangeStreamHistoryLost', message: '' }
    const broken = { ...lost, outcome: 'failed' as const, labels: [], count: 2 }
    expect(valueOf('errors', fakePhase({ streams: [{ ...stream, errors: [broken] }] }))).toBe(2)
  })
})

describe('what transactions took', () => {
  const some = fakeOperation({ name: 'transfer', ok: 100, transaction: fakeTransactions() })
  const plain = fakeOperation({ name: 'read', ok: 50 })
  const phase = fakePhase({ wallSeconds: 5, operations: [some, plain] })

  test.each<[BuiltInMetric, number]>([
    ['committedPerSecond', 20],
    ['commits', 100],
    ['attempts', 120],
    ['attemptsPerCommit', 1.2],
    ['retries', 15],
    ['commitRetries', 3],
    ['conflicts', 12],
    ['aborts', 5],
    ['unknownCommits', 0],
    ['firstTryMeanMs', 4],
    ['firstTryP50Ms', 4],
    ['firstTryP99Ms', 4],
    ['commitMaxMs', 2],
    ['commitP99Ms', 2],
  ])('%s is that of the transactions alone', (measure, expected) => {
    expect(valueOf(measure, phase)).toBe(expected)
    expect(valueOf(measure, fakePhase({ operations: [plain] }))).toBeNull()
  })

  test('is shown of several operations together', () => {
    const twice = fakePhase({ wallSeconds: 5, operations: [some, { ...some, name: 'other' }] })
    expect(valueOf('attempts', twice)).toBe(240)
    expect(valueOf('attemptsPerCommit', twice)).toBe(1.2)
    expect(valueOf('commitP50Ms', twice)).toBe(2)
  })

  test('of a second is what was committed in it', () => {
    const perSecond = { ...plain.perSecond, ok: [7, 9] }
    const operations = [some, plain].map((operation) => Object.assign({}, operation, { perSecond }))
    const scope = scopeFor(fakePhase({ wallSeconds: 2, operations }))
    expect(columns.committedPerSecond.perSecond(scope)).toEqual([7, 9])
    expect(columns.committedPerSecond.perSecond({ ...scope, operations: [plain] })).toBeNull()
  })
})

describe('what a server gives for its size and its price', () => {
  const operation = fakeOperation({ ok: 4000, documents: 8000 })
  const phase = fakePhase({ wallSeconds: 4, operations: [operation] })
  const { server } = fakeVariant()

  function valueOn(measure: BuiltInMetric, given: Parameters<typeof fakeVariant>[0], of = phase): unknown {
    const column = getColumn(measure)
    return 'value' in column ? column.value({ ...scopeFor(of), variant: fakeVariant(given) }) : undefined
  }

  test.each([
    ['opsPerSecondPerCore', 250],
    ['docsPerSecondPerCore', 500],
    ['opsPerDollar', 1_800_000],
    ['docsPerDollar', 3_600_000],
    ['dollarsPerMillionOps', 1 / 1.8],
    ['dollarsPerMillionDocs', 1 / 3.6],
  ] as const)('%s is throughput against cores or price', (measure, expected) => {
    const facts = { pricePerHour: 2 }
    expect(valueOn(measure, { facts, server: server && { ...server, cores: 4 } })).toBeCloseTo(expected, 9)
  })

  test.each(['opsPerSecondPerCore', 'docsPerSecondPerCore'] as const)(
    '%s is unknown where the cores are not, and for the router of a cluster',
    (measure) => {
      expect(valueOn(measure, { server: null })).toBeNull()
      expect(valueOn(measure, { server: server && { ...server, cores: null } })).toBeNull()
      expect(valueOn(measure, { server: server && { ...server, topology: 'sharded cluster of 2 shards' } })).toBeNull()
    },
  )

  test.each(['opsPerDollar', 'docsPerDollar', 'dollarsPerMillionOps', 'dollarsPerMillionDocs'] as const)(
    '%s is unknown without a price',
    (measure) => {
      expect(valueOn(measure, { facts: {} })).toBeNull()
      expect(valueOn(measure, { facts: { pricePerHour: null } })).toBeNull()
    },
  )

  test('a million operations have no price where none succeeded', () => {
    const given = { facts: { pricePerHour: 2 } }
    expect(valueOn('dollarsPerMillionOps', given, nothing)).toBeNull()
    expect(valueOn('opsPerDollar', given, nothing)).toBe(0)
  })
})

test('a step has counts and times of its own', () => {
  const variant = storedResult('update-api').variants[2] ?? fail('no row')
  const scope = createScope(variant, { kind: 'step', phase: 'update', operation: 'call', step: 'insert' })
  expect(scope && columns.skipped.value(scope)).toBe(6666)
  expect(scope && columns.inserted.value(scope)).toBe(6667)
  expect(scope && columns.p50Ms.value(scope)).toBeGreaterThan(0)
})

test('the CPU of a server is also shown relative to its cores, and not at all if they are unknown', () => {
  const phase = fakePhase({ wallSeconds: 10, members: [fakeMember({ totals: { processCpuUs: 2_500_000 } })] })
  const { server } = fakeVariant()
  const share = (cores: number | null): unknown => {
    const variant = fakeVariant({ phases: [phase], server: server && { ...server, cores } })
    return columns.serverCpuOfLimitPercent.value({ ...scopeFor(phase), variant })
  }
  expect([share(0.5), share(2), share(null)]).toEqual([50, 12.5, null])
})

const phaseWith = (...operations: readonly ReturnType<typeof fakeOperation>[]) =>
  fakePhase({ operations: [...operations] })

describe('plans of operations', () => {
  const found = fakeOperation({ explain: fakeExplain() })
  const scanned = fakeOperation({
    name: 'scan',
    explain: fakeExplain({ plans: ['COLLSCAN'], usesIndex: false, docsReturned: 0 }),
  })

  test.each([
    ['plan', 'IXSCAN customer_1 → FETCH'],
    ['usesIndex', 1],
    ['keysExamined', 12],
    ['docsExamined', 10],
    ['docsExaminedPerReturned', 2],
  ] as const)('%s is what was explained', (measure, expected) =>
    expect(valueOf(measure, phaseWith(found))).toBe(expected),
  )

  test.each(['plan', 'usesIndex', 'keysExamined', 'docsExamined', 'docsExaminedPerReturned'] as const)(
    '%s is empty, never 0, where nothing was explained',
    (measure) => expect(valueOf(measure, phaseWith(fakeOperation()))).toBeNull(),
  )

  test('a run or an operation that reads a whole collection is not hidden by others', () => {
    expect(valueOf('usesIndex', phaseWith(found), phaseWith(found), phaseWith(scanned))).toBe(0)
    expect(valueOf('usesIndex', phaseWith(found, scanned))).toBe(0)
    expect(valueOf('plan', phaseWith(found), phaseWith(scanned))).toBe('IXSCAN customer_1 → FETCH; COLLSCAN')
  })

  test('figures of several operations are not put together, and what returns nothing has no ratio', () => {
    expect(valueOf('keysExamined', phaseWith(found, scanned))).toBeNull()
    expect(valueOf('docsExaminedPerReturned', phaseWith(scanned))).toBeNull()
  })
})
