import { describe, expect, test } from 'vitest'
import { warningRules, findWarnings } from '../../../src/load/measure/warnings/index.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { type StepResult, type StreamResult } from '../../../src/results/schema/calls.ts'
import { type MemberResources } from '../../../src/results/schema/servers.ts'
import { formatMessage } from '../../../src/results/warnings/parts.ts'
import { anAgent } from '../../fakes/an-agent.ts'
import {
  fakeExplain,
  sameLatency,
  fakeOpenLoop,
  healthyOperation,
  healthyPhase,
  fakeTransactions,
} from '../../fakes/fake-result.ts'

const healthy = healthyPhase()
const { steadiness: steady } = healthy
const withoutCheckpoint = { claims: { cached: true }, steadiness: { ...steady, checkpoints: 0 } }

function member(name: string, figures: Record<string, number>, restarted = false): MemberResources {
  return {
    member: name,
    role: 'primary',
    source: 'serverStatus',
    totals: figures as MemberResources['totals'],
    unavailable: {},
    perSecond: {},
    restarted,
    sampler: { samples: 1, failed: 0, meanMs: 1, bytes: 1 },
  }
}

const errors = [
  {
    code: '11000',
    name: 'DuplicateKey',
    outcome: 'failed' as const,
    labels: [],
    count: 3,
    message: 'the key is taken',
  },
]
const failing = healthyOperation({ ok: 99_997, failed: 3, errors })

const step = (more: Partial<StepResult>): StepResult => ({
  ...healthyOperation({ name: 'change', kind: 'updateOne', ok: 10 }),
  skipped: 0,
  ...more,
})

const fakeStream = (failures: StreamResult['errors']): StreamResult => ({
  name: 'watch',
  kind: 'changeStream',
  events: 5,
  byType: { insert: 5 },
  lag: null,
  perSecond: { events: [5], lagP50Ms: [null], lagP99Ms: [null], lagMaxMs: [null] },
  errors: failures,
})

const faultWith = (error: string | null, kind = 'kill', beganAtSeconds = 1, notBegun = 0): PhaseResult['faults'] => [
  {
    name: 'hurt',
    kind,
    notBegun,
    occurrences: [
      {
        plannedAtSeconds: 1,
        beganAtSeconds,
        doneAtSeconds: 1,
        plannedUndoSeconds: 2,
        undoneAtSeconds: 2,
        targets: ['member0'],
        primaryBefore: 'member0',
        termBefore: 1,
        error,
      },
    ],
  },
]
const aThread = (endedAtSeconds: number) => ({ ...healthy.client, workers: 4, operations: 100, endedAtSeconds })

/** Threads whose last answers came then, in a window of 10 s. */
const withThreadEnds = (...ends: readonly number[]): Partial<PhaseResult> => ({
  wallSeconds: 10,
  client: { ...healthy.client, threads: ends.map((endedAtSeconds) => aThread(endedAtSeconds)) },
})

/** A search up to 8 workers. */
const searched = (high: number | null): Partial<PhaseResult> => ({
  load: 'findPeak',
  outcome: { holds: [], found: 8, low: 4, high, confirmed: true },
})

/** A phase that gives rise to each warning, the code of its text, and one that is just good enough. */
const cases: Record<string, readonly [Partial<PhaseResult>, string, Partial<PhaseResult>]> = {
  'not-explained': [
    { operations: [healthyOperation({ explain: fakeExplain({ calls: 0, plans: [], reason: 'not authorized' }) })] },
    'phase-warning-not-explained',
    { operations: [healthyOperation({ explain: fakeExplain() })] },
  ],
  'fault-failed': [
    { faults: faultWith('no server was primary') },
    'phase-warning-fault-failed',
    { faults: faultWith(null) },
  ],
  'fault-late': [
    { faults: faultWith(null, 'kill', 2.5, 1) },
    'phase-warning-fault-late',
    { faults: faultWith(null, 'kill', 2) },
  ],
  'test-commands': [
    { faults: faultWith(null, 'failPoint') },
    'phase-warning-test-commands',
    { faults: faultWith(null) },
  ],
  'everything-failed': [
    { endedBecause: 'everything failed', operations: [failing] },
    'phase-warning-everything-failed',
    { endedBecause: 'operations', operations: [failing] },
  ],
  aborted: [{ endedBecause: 'aborted' }, 'phase-warning-aborted', { endedBecause: 'documents' }],
  errors: [{ operations: [failing] }, 'phase-warning-errors', {}],
  'not-cached': [
    { claims: { cached: true }, members: [member('member0', { pagesReadIntoCache: 20_000 })] },
    'phase-warning-not-cached',
    { claims: { cached: true }, members: [member('member0', { pagesReadIntoCache: 100 })] },
  ],
  'written-out': [
    { ...withoutCheckpoint, members: [member('member0', { bytesWrittenFromCache: 100_000 * 30_000 })] },
    'phase-warning-written-out',
    { ...withoutCheckpoint, members: [member('member0', { bytesWrittenFromCache: 100_000 * 4096 })] },
  ],
  'not-uncached': [
    { claims: { cached: false }, members: [member('member0', { pagesReadIntoCache: 1000 })] },
    'phase-warning-not-uncached',
    { claims: { cached: false }, members: [member('member0', {})] },
  ],
  'transactions-aborted': [
    { operations: [healthyOperation({ name: 'transfer', transaction: fakeTransactions({ aborted: 5 }) })] },
    'phase-warning-transactions-aborted',
    { operations: [healthyOperation({ name: 'transfer', transaction: fakeTransactions({ aborted: 0 }) })] },
  ],
  'stream-errors': [
    {
      streams: [
        fakeStream([{ code: '1', name: 'Ended', outcome: 'failed', labels: [], count: 1, message: 'on purpose' }]),
      ],
    },
    'phase-warning-stream-errors',
    { streams: [fakeStream([])] },
  ],
  'nothing-matched': [
    {
      operations: [
        healthyOperation({ name: 'update', kind: 'updateOne', ok: 100, matched: 80, upserted: 15 }),
        healthyOperation({ name: 'both', kind: 'steps', steps: [step({ matched: 7 })] }),
        healthyOperation({ name: 'either', kind: 'steps', steps: [step({ matched: 7, skipped: 1 })] }),
      ],
    },
    'phase-warning-nothing-matched',
    { writeConcern: { w: 0 }, operations: [healthyOperation({ kind: 'updateOne', ok: 100, documents: 0 })] },
  ],
  clamped: [
    {
      operations: [
        healthyOperation({ latency: { ok: null, failed: null, unknown: { ...sameLatency(1), clamped: 1 } } }),
      ],
    },
    'phase-warning-clamped',
    {},
  ],
  unacknowledged: [
    {
      writeConcern: { w: 0 },
      operations: [healthyOperation({ inserted: 100 })],
      unacknowledged: { sent: 100, arrived: 90, waitedMs: 1234, reason: null },
    },
    'phase-warning-unacknowledged',
    { writeConcern: { w: 1 }, operations: [healthyOperation({ inserted: 5 })] },
  ],
  'not-arrived': [
    { unacknowledged: { sent: 100, arrived: 90, waitedMs: 1234, reason: null } },
    'phase-warning-not-arrived',
    { unacknowledged: { sent: 100, arrived: 100, waitedMs: 1234, reason: null } },
  ],
  'server-stood-still': [
    { wallSeconds: 8, steadiness: { ...steady, longestGapSeconds: 3 } },
    'phase-warning-server-stood-still',
    { wallSeconds: 8, steadiness: { ...steady, longestGapSeconds: 0.7 } },
  ],
  'client-stood-still': [
    { wallSeconds: 8, client: { ...healthy.client, eventLoopDelayMaxMs: 2000 } },
    'phase-warning-client-stood-still',
    { wallSeconds: 30, client: { ...healthy.client, eventLoopDelayMaxMs: 2000 } },
  ],
  'keys-not-found': [
    { operations: [healthyOperation({ kind: 'findOne', keysFromData: true, ok: 100, documents: 40 })] },
    'phase-warning-keys-not-found',
    { operations: [healthyOperation({ kind: 'findOne', keysFromData: true, ok: 100, documents: 50 })] },
  ],
  'short-window': [{ wallSeconds: 4.94 }, 'phase-warning-short-window', { wallSeconds: 5 }],
  drifting: [
    { steadiness: { ...steady, label: 'drifting', lastOverFirst: 0.5, isDriftSignificant: true } },
    'phase-warning-drifting',
    { steadiness: { ...steady, lastOverFirst: 0.95, isDriftSignificant: true } },
  ],
  unsettled: [
    { steadiness: { ...steady, label: 'unsettled', precisionPercent: 12.3 } },
    'phase-warning-unsettled',
    { steadiness: { ...steady, label: 'too short', lastOverFirst: null, precisionPercent: null } },
  ],
  'peak-at-the-end': [searched(null), 'phase-warning-peak-at-the-end', searched(16)],
  checkpoint: [
    { steadiness: { ...steady, checkpoints: 1 } },
    'phase-warning-checkpoint',
    { steadiness: { ...steady, checkpoints: 0 } },
  ],
  'calls-dropped': [
    { load: 'open', openLoop: fakeOpenLoop({ dropped: 30, sent: 99_970 }) },
    'phase-warning-calls-dropped',
    { load: 'open', openLoop: fakeOpenLoop() },
  ],
  'below-target': [
    { load: 'open', openLoop: fakeOpenLoop(), wallSeconds: 125 },
    'phase-warning-below-target',
    { load: 'open', openLoop: fakeOpenLoop(), wallSeconds: 102 },
  ],
  'calls-late': [
    { load: 'open', openLoop: fakeOpenLoop({ wait: sameLatency(100_000, 2.1) }) },
    'phase-warning-calls-late',
    { load: 'open', openLoop: fakeOpenLoop({ wait: sameLatency(100_000, 2) }) },
  ],
  'replay-late': [
    { load: 'open', openLoop: fakeOpenLoop({ arrivals: 'recorded', wait: sameLatency(100_000, 2.1) }) },
    'phase-warning-replay-late',
    { load: 'open', openLoop: fakeOpenLoop({ arrivals: 'recorded', wait: sameLatency(100_000, 2) }) },
  ],
  'other-load': [
    { otherLoad: [{ runs: ['client', 'member0'], cpuPercent: 38.2, usedPercent: 90 }] },
    'phase-warning-other-load',
    { otherLoad: [{ runs: ['client', 'member0'], cpuPercent: 5, usedPercent: 90 }] },
  ],
  'other-load-unknown': [
    { otherLoad: [] },
    'phase-warning-other-load-unknown',
    { otherLoad: [{ runs: ['client'], cpuPercent: 0, usedPercent: 10 }] },
  ],
  'client-limited': [
    { client: { ...healthy.client, eventLoopUtilization: 0.97, saturated: true } },
    'phase-warning-client-limited',
    { client: { ...healthy.client, eventLoopUtilization: 0.85 } },
  ],
  'agent-limited': [
    {
      agents: [
        { ...anAgent, limitedBy: 'CPU' as const },
        { ...anAgent, name: 'idle' },
      ],
    },
    'phase-warning-agent-limited',
    { agents: [anAgent] },
  ],
  'agent-late': [
    { agents: [anAgent, { ...anAgent, name: 'load-2', startOffsetMs: 6, clockErrorMs: 0.9 }] },
    'phase-warning-agent-late',
    { agents: [{ ...anAgent, startOffsetMs: 6, clockErrorMs: 1 }] },
  ],
  'event-loop-delay': [
    { client: { ...healthy.client, eventLoopDelayP99Ms: 25.4 } },
    'phase-warning-event-loop-delay',
    { client: { ...healthy.client, eventLoopDelayP99Ms: 10 } },
  ],
  'idle-workers': [{ littlesLaw: 0.7 }, 'phase-warning-idle-workers', { littlesLaw: 0.95 }],
  'member-restarted': [
    { members: [member('member0', {}), member('member1', {}, true)] },
    'phase-warning-member-restarted',
    { members: [member('member0', {})] },
  ],
  'threads-apart': [withThreadEnds(9, 10), 'phase-warning-threads-apart', withThreadEnds(9.6, 10)],
  'latest-by-thread': [{ latestByThread: true }, 'phase-warning-latest-by-thread', { latestByThread: false }],
  'row-gaps': [{ rowGaps: 7 }, 'phase-warning-row-gaps', { rowGaps: 0 }],
  'chunks-moved': [
    { members: [member('shard0/member0', { chunkMigrations: 0 }), member('shard1/member0', { chunkMigrations: 3 })] },
    'phase-warning-chunks-moved',
    { members: [member('shard0/member0', { chunkMigrations: 0 })] },
  ],
  'cpu-stolen': [
    { members: [member('member0', { hostCpuStealMs: 50, hostCpuTotalMs: 1000 })] },
    'phase-warning-cpu-stolen',
    { members: [member('member0', { hostCpuStealMs: 1, hostCpuTotalMs: 1000 })] },
  ],
}

const foundNothingIn = (phase: Partial<PhaseResult>): string | undefined =>
  findWarnings({ ...healthy, ...phase }).find(({ code }) => code === 'nothing-matched')?.message

describe('calls that never find a document', () => {
  const calls = { ok: 60, documents: 0 }

  test.each(['find', 'findOne', 'aggregate', 'findOneAndUpdate', 'findOneAndDelete', 'updateMany', 'deleteOne'])(
    'get a remark: %s',
    (kind) => {
      const of = (more: object) =>
        foundNothingIn({ operations: [healthyOperation({ name: 'look', kind, ...calls, ...more })] })
      expect(of({})).toSay('phase-warning-nothing-found', { calls: 'look' })
      for (const found of [{ matched: 1 }, { documents: 1 }, { documents: null }]) expect(of(found)).toBeUndefined()
    },
  )

  test('get one in steps, also where a transaction may abort or a step was skipped', () => {
    const steps = [step({ ...calls, kind: 'findOneAndUpdate', skipped: 1 }), step({ name: 'entry', inserted: 60 })]
    const operations = [healthyOperation({ name: 'transfer', kind: 'transaction', ...calls, steps })]
    expect(foundNothingIn({ operations })).toSay('phase-warning-nothing-found', { calls: 'transfer.change' })
  })

  test('are known of reads where writes are not acknowledged', () => {
    const operations = [
      healthyOperation({ name: 'look', kind: 'find', ...calls }),
      healthyOperation({ name: 'drop', kind: 'deleteOne', ...calls }),
    ]
    expect(foundNothingIn({ operations, writeConcern: { w: 0 } })).toSay('phase-warning-nothing-found', {
      calls: 'look',
    })
  })
})

test('a window below a second is short even where it ended by precision, and other load is unknown in it', () => {
  const found = findWarnings({ ...healthy, wallSeconds: 0.3, endedBecause: 'precision', otherLoad: [] })
  expect(found.map(({ code, message }) => `${code}: ${message}`)).toSay('phase-warnings-of-short-window')
})

const busyClient = { ...healthy.client, eventLoopUtilization: 0.97, saturated: true }
const clientLimited = (phase: Partial<PhaseResult>) =>
  findWarnings({ ...healthy, ...phase }).find(({ code }) => code === 'client-limited')

test.each([
  [[true, true, false], 'phase-warning-threads-limited'],
  [[false, false, false], 'phase-warning-client-limited-alone'],
])('the message counts the threads that were too busy: %j', (busy, text) => {
  const threads = busy.map((saturated) => ({ ...aThread(5), saturated }))
  expect(clientLimited({ client: { ...busyClient, threads } })?.message).toSay(text)
})

test.each([
  ['nothing else runs', [], 'phase-advice-client-limited'],
  [
    'others load another machine',
    [{ runs: ['member0'], cpuPercent: 60, usedPercent: 90 }],
    'phase-advice-client-limited',
  ],
  [
    'others load its machine',
    [{ runs: ['client'], cpuPercent: 60, usedPercent: 90 }],
    'phase-advice-client-beside-others',
  ],
])('a client that is the bottleneck gets advice that can help where %s', (_, otherLoad, advice) =>
  expect(clientLimited({ client: busyClient, otherLoad })?.advice).toSay(advice),
)

test.each([
  ['driver', true],
  ['wire', false],
] as const)(
  'a client with the engine %s that is the bottleneck gets the advice of a cheaper engine: %s',
  (engine, isAdvised) => {
    const found = clientLimited({ client: busyClient, engine })
    expect(found?.advice.includes('"engine": "wire"')).toBe(isAdvised)
  },
)

test.each([
  [null, 'phase-warning-unacknowledged-uncounted'],
  [{ sent: 7, arrived: null, waitedMs: 0, reason: '"things" is capped' }, 'phase-warning-unacknowledged-uncountable'],
])('the warning about unacknowledged writes counts the documents that arrived: %j', (unacknowledged, text) => {
  const phase = { writeConcern: { w: 0 }, operations: [healthyOperation({ inserted: 7 })], unacknowledged }
  const found = findWarnings({ ...healthy, ...phase })
  expect(found.find(({ code }) => code === 'unacknowledged')?.message).toSay(text)
  expect(found.map(({ code }) => code)).not.toContain('not-arrived')
})

test.each([
  ['all calls take far longer anyway', { eventLoopDelayP99Ms: 25 }, [250, 300], false],
  ['calls of one operation are short', { eventLoopDelayP99Ms: 26 }, [250, 300], true],
  ['no call had success', { eventLoopDelayP99Ms: 25 }, [], false],
  ['it was too busy to measure it', { eventLoopDelayP99Ms: null }, [1], false],
])('a late event loop is a warning where latencies show it: %s', (_, late, p99s, isExpected) => {
  const operations = p99s.map((p99Ms) =>
    healthyOperation({ latency: { ok: sameLatency(100_000, p99Ms), failed: null, unknown: null } }),
  )
  const found = findWarnings({ ...healthy, client: { ...healthy.client, ...late }, operations })
  expect(found.some(({ code }) => code === 'event-loop-delay')).toBe(isExpected)
})

test('a fault that was not due before the phase ended gets a warning', () => {
  const never = [{ name: 'hurt', kind: 'kill', occurrences: [], notBegun: 0 }]
  expect(findWarnings({ ...healthy, faults: never })[0]?.message).toSay('phase-warning-fault-not-due')
})

test('a healthy phase has no warning', () => {
  expect(findWarnings(healthy)).toEqual([])
  expect(findWarnings({ ...healthy, load: 'open', openLoop: fakeOpenLoop(), littlesLaw: null })).toEqual([])
})

test('a phase that ended because it was precise is not too short', () =>
  expect(findWarnings({ ...healthy, wallSeconds: 7, endedBecause: 'precision' })).toEqual([]))

test.each(['drifting', 'unsettled'] as const)(
  'an open loop has no warning about its planned throughput: %s',
  (label) => {
    const steadiness = { ...steady, label, lastOverFirst: 0.5, precisionPercent: 20 }
    expect(findWarnings({ ...healthy, load: 'open', openLoop: fakeOpenLoop(), steadiness })).toEqual([])
  },
)

test('agents with busy event loops are named', () => {
  const client = { ...busyClient, threads: [{ ...aThread(1), saturated: true }] }
  const agents = [
    { ...anAgent, limitedBy: 'event loop' as const },
    { ...anAgent, name: 'idle' },
  ]
  expect(clientLimited({ client, agents })?.message).toSay('phase-warning-agent-threads-limited')
})

test('agents whose machines others use get the advice to stop those first', () => {
  const limited = { ...anAgent, limitedBy: 'CPU' as const }
  const agents = [limited, { ...anAgent, name: 'beside' }, { ...anAgent, name: 'idle' }]
  const otherLoad = [{ runs: ['client', 'beside'], cpuPercent: 60, usedPercent: 90 }]
  const { message, advice } = clientLimited({ client: busyClient, agents, otherLoad }) ?? {}
  expect([message, advice]).toSay('phase-warning-agents-beside-others')
})

test('every warning has a case here', () =>
  expect(Object.keys(cases).toSorted()).toEqual(warningRules.map(({ code }) => code).toSorted()))

describe.each(Object.entries(cases))('%s', (code, [poor, text, justGoodEnough]) => {
  const found = (phase: Partial<PhaseResult>) =>
    findWarnings({ ...healthy, ...phase }).find((warning) => warning.code === code)

  test('is raised with its figures and an advice', () => {
    const { message = '', advice, parts = [message] } = found(poor) ?? {}
    expect([message, advice]).toSay(text)
    expect(advice).toMatch(/\.$/)
    expect(message).not.toMatch(/\.$/)
    expect(formatMessage(parts)).toBe(message)
  })

  test('is not raised without need', () => expect(found(justGoodEnough)).toBeUndefined())
})

const error = (name: string, count: number, outcome: 'failed' | 'unknown' = 'failed') => ({
  code: name,
  name,
  count,
  outcome,
  labels: [],
  message: 'it failed',
})

test('all errors of an operation are named with their counts, the most frequent first, and at most five of them', () => {
  const some = [error('NotPrimary', 2), error('Timeout', 3), error('Timeout', 4, 'unknown'), error('DiskFull', 1)]
  const many = Array.from({ length: 7 }, (_, i) => error(`Error${i}`, 9 - i))
  const operations = [
    healthyOperation({ name: 'write', ok: 90, failed: 10, errors: some }),
    healthyOperation({ name: 'read', ok: 58, failed: 42, errors: many }),
  ]
  const warning = findWarnings({ ...healthy, operations }).find(({ code }) => code === 'errors')
  expect(warning?.message).toSay('phase-warning-errors-of-two-operations')
})
