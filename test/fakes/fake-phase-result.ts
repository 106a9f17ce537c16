import { LatencyRecord, toLatency } from '../../src/load/measure/latency.ts'
import { type PhaseResult } from '../../src/results/schema.ts'
import { type OperationResult, type TransactionResult } from '../../src/results/schema/calls.ts'
import { type Explain } from '../../src/results/schema/explain.ts'
import { type Latency } from '../../src/results/schema/latency.ts'
import { type OpenLoopResult } from '../../src/results/schema/open-loop.ts'

export function fakeLatency(count: number, meanMs = 1): Latency {
  const record = new LatencyRecord()
  record.add(meanMs * 1000)
  const part = record.take()
  if (part === undefined) throw new Error('There is one sample')
  return { ...toLatency(part), count }
}

export const fakeOperationResult = (result: Partial<OperationResult> = {}): OperationResult => ({
  name: 'read',
  kind: 'findOne',
  ok: 100_000,
  failed: 0,
  unknown: 0,
  documents: 100_000,
  bytes: 100_000,
  matched: 0,
  modified: 0,
  upserted: 0,
  inserted: 0,
  deleted: 0,
  errors: [],
  expectedErrors: [],
  latency: { ok: fakeLatency(100_000), failed: null, unknown: null },
  perSecond: { ok: [], failed: [], unknown: [], documents: [], p50Ms: [], p99Ms: [], maxMs: [] },
  found: null,
  missing: null,
  steps: [],
  samples: null,
  transaction: null,
  openLoop: null,
  explain: null,
  ...result,
})

/** A find that reads ten documents by an index. */
export const fakeExplain = (explain: Partial<Explain> = {}): Explain => ({
  calls: 5,
  plans: ['IXSCAN customer_1 → FETCH'],
  indexes: ['customer_1'],
  usesIndex: true,
  keysExamined: 12,
  docsExamined: 10,
  docsReturned: 5,
  bytesReturned: 500,
  commands: 1,
  roundTrips: 1,
  recall: null,
  reason: null,
  ...explain,
})

export const fakeTransactions = (result: Partial<TransactionResult> = {}): TransactionResult => ({
  runner: 'managed',
  maxAttempts: 100,
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', wtimeoutMS: 10_000 },
  readPreference: { mode: 'primary' },
  attempts: 120,
  retries: 15,
  conflicts: 12,
  commitRetries: 3,
  commits: 100,
  aborted: 5,
  aborts: { overdraft: 4, notFound: 1 },
  unknownCommits: 0,
  latency: { firstTry: fakeLatency(90, 4), commit: fakeLatency(100, 2), aborted: fakeLatency(5, 1) },
  ...result,
})

/** A plan of 1000 calls a second for 100 s that was kept. */
export const fakeOpenLoop = (result: Partial<OpenLoopResult> = {}): OpenLoopResult => ({
  arrivals: 'poisson',
  ratePerSecond: 1000,
  seconds: 100,
  maxInFlight: 512,
  peakInFlight: 9,
  planned: 100_000,
  sent: 100_000,
  dropped: 0,
  wait: fakeLatency(100_000, 0.6),
  response: fakeLatency(100_000, 1.6),
  late: 0,
  perSecond: { responseP50Ms: [], responseP99Ms: [], responseMaxMs: [], planned: [], dropped: [] },
  ...result,
})

/** A phase that nobody could doubt. */
export const fakePhaseResult = (result: Partial<PhaseResult> = {}): Omit<PhaseResult, 'warnings'> => ({
  name: 'phase',
  workers: 1,
  threads: 1,
  load: 'closed',
  maxRatePerSecond: null,
  pauses: false,
  rate: null,
  beside: null,
  stretches: [],
  engine: 'driver',
  retries: 'none',
  writeConcern: { w: 'majority' },
  readConcern: { level: 'local' },
  readPreference: { mode: 'primary' },
  startedAt: '2026-01-01T00:00:00.000Z',
  wallSeconds: 100,
  endedBecause: 'seconds',
  digest: 'digest',
  operations: [fakeOperationResult()],
  latency: null,
  streams: [],
  unacknowledged: null,
  openLoop: null,
  faults: [],
  elections: null,
  availability: [],
  pool: null,
  peak: null,
  rowGaps: 0,
  latestByThread: false,
  claims: null,
  client: {
    eventLoopUtilization: 0.5,
    eventLoopDelayP99Ms: 1,
    eventLoopDelayMaxMs: 5,
    cpuPercent: 50,
    gcMs: 10,
    gcCount: 5,
    heapUsedMB: 50,
    rssMB: 100,
    saturated: false,
    threads: [],
  },
  agents: [],
  otherLoad: [{ runs: ['client'], cpuPercent: 0, usedPercent: 40 }],
  machineSpeed: null,
  members: [],
  littlesLaw: 1,
  steadiness: {
    label: 'steady',
    lastOverFirst: 1,
    isDriftSignificant: false,
    precisionPercent: 1,
    checkpoints: 2,
    longestGapSeconds: 0,
  },
  ...result,
})
