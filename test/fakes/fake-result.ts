import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js'
import { type PhaseResult, type Result, type VariantResult } from '../../src/results/schema.ts'
import { type OperationResult, type TransactionResult } from '../../src/results/schema/calls.ts'
import { type Explain } from '../../src/results/schema/explain.ts'
import { type OpenLoopResult } from '../../src/results/schema/open-loop.ts'
import { type MemberResources } from '../../src/results/schema/servers.ts'
import { resultVersion } from '../../src/results/version.ts'

/** Numbers that look random and are the same every time. */
export function fakeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}

type Latency = NonNullable<OperationResult['latency']['ok']>

/** Exact statistics of these times in milliseconds, with their histogram. */
export function fakeLatency(timesMs: readonly number[]): Latency {
  const sorted = timesMs.map((time) => Math.max(1, Math.round(time * 1000))).toSorted((a, b) => a - b)
  const histogram = build({ bitBucketSize: 32, highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: 3 })
  for (const time of sorted) histogram.recordValue(time)
  const at = (percent: number): number => (sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0) / 1000
  return {
    count: sorted.length,
    meanMs: sorted.reduce((total, time) => total + time, 0) / sorted.length / 1000,
    minMs: at(0.0001),
    maxMs: at(100),
    p50Ms: at(50),
    p95Ms: at(95),
    p99Ms: at(99),
    p999Ms: at(99.9),
    clamped: 0,
    histogram: encodeIntoCompressedBase64(histogram),
  }
}

/** So many calls of the same length. */
export const sameLatency = (count: number, ms = 1): Latency => ({ ...fakeLatency([ms]), count })

/** Times as databases have them: most near the median, a long tail. */
export function fakeTimes(random: () => number, count: number, medianMs: number, width = 0.35): number[] {
  return Array.from({ length: count }, () => {
    const normal = Math.sqrt(-2 * Math.log(random() || 0.5)) * Math.cos(2 * Math.PI * random())
    return medianMs * Math.exp(width * normal) * (random() < 0.004 ? 6 : 1)
  })
}

export type FakeOperation = Partial<OperationResult> & { readonly seconds?: number }

export function fakeOperation({ seconds = 4, ...given }: FakeOperation = {}): OperationResult {
  const ok = given.ok ?? 4000
  const times = given.latency?.ok ?? fakeLatency(fakeTimes(fakeRandom(ok + 1), Math.min(ok, 2000), 2))
  const each = Array.from({ length: seconds }, () => Math.round(ok / seconds))
  return {
    name: 'findOne',
    kind: 'findOne',
    ok,
    failed: 0,
    unknown: 0,
    documents: ok,
    bytes: ok * 1024,
    matched: 0,
    modified: 0,
    upserted: 0,
    inserted: 0,
    deleted: 0,
    errors: [],
    expectedErrors: [],
    found: null,
    missing: null,
    steps: [],
    samples: null,
    transaction: null,
    openLoop: null,
    explain: null,
    latency: { ok: ok === 0 ? null : times, failed: null, unknown: null },
    perSecond: {
      ok: each,
      failed: each.map(() => 0),
      unknown: each.map(() => 0),
      documents: each,
      p50Ms: each.map(() => times.p50Ms),
      p99Ms: each.map(() => times.p99Ms),
      maxMs: each.map(() => times.maxMs),
    },
    ...given,
  }
}

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
  latency: { firstTry: sameLatency(90, 4), commit: sameLatency(100, 2), aborted: sameLatency(5, 1) },
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
  wait: sameLatency(100_000, 0.6),
  response: sameLatency(100_000, 1.6),
  late: 0,
  perSecond: { responseP50Ms: [], responseP99Ms: [], responseMaxMs: [], planned: [], dropped: [] },
  ...result,
})

export function fakeMember(given: Partial<MemberResources> = {}): MemberResources {
  return {
    member: 'member0',
    role: 'primary',
    source: 'getDiagnosticData',
    totals: {
      hostCpuBusyMs: 4000,
      hostCpuIoWaitMs: 800,
      hostCpuStealMs: 40,
      hostCpuTotalMs: 8000,
      processCpuUs: 3_600_000,
      residentMB: 512,
      openFiles: 40,
      pagesReadIntoCache: 200,
      bytesWrittenFromCache: 40_960_000,
      blockManagerBytesWritten: 20_480_000,
      blockManagerBytesRead: 4_096_000,
      journalBytes: 16_384_000,
      journalSyncs: 400,
      diskReads: 400,
      diskWrites: 1600,
      diskReadBytes: 8 * 1024 * 1024,
      diskWriteBytes: 40 * 1024 * 1024,
      networkBytesIn: 4_096_000,
      networkBytesOut: 8_192_000,
      writeConflicts: 12,
      chunkMigrations: 1,
      ttlDeletes: 30,
      readLatencyUs: 1_000_000,
      readOps: 2000,
      writeLatencyUs: 3_000_000,
      writeOps: 2000,
      docsExamined: 4000,
      keysExamined: 8000,
    },
    unavailable: {},
    perSecond: {
      hostCpuBusyMs: [900, 1000, 1100, 1000],
      hostCpuTotalMs: [2000, 2000, 2000, 2000],
      diskReads: [100, 100, null, 100],
      diskWrites: [400, 400, 400, 400],
    },
    restarted: false,
    sampler: { samples: 5, failed: 0, meanMs: 2.1, bytes: 200_000 },
    ...given,
  }
}

export function fakePhase(given: Partial<PhaseResult> = {}): PhaseResult {
  return {
    name: 'read',
    parallel: null,
    workers: 16,
    threads: 1,
    load: 'closed',
    maxRatePerSecond: null,
    pauses: false,
    agents: [],
    otherLoad: [{ runs: ['client', 'member0'], cpuPercent: 3, usedPercent: 90 }],
    machineSpeed: null,
    rowGaps: 0,
    latestByThread: false,
    writeConcern: { w: 'majority', wtimeoutMS: 10_000 },
    readConcern: { level: 'local' },
    readPreference: { mode: 'primary' },
    startedAt: '2026-11-20T10:00:05.000Z',
    wallSeconds: 4,
    endedBecause: 'seconds',
    digest: 'a1b2c3d4',
    operations: [fakeOperation()],
    latency: null,
    streams: [],
    unacknowledged: null,
    openLoop: null,
    engine: 'driver',
    retries: 'none',
    faults: [],
    elections: null,
    availability: [],
    pool: null,
    windows: [],
    outcome: null,
    claims: null,
    client: {
      eventLoopUtilization: 0.42,
      eventLoopDelayP99Ms: 1.2,
      eventLoopDelayMaxMs: 6,
      cpuPercent: 55,
      gcMs: 30,
      gcCount: 12,
      heapUsedMB: 40,
      rssMB: 120,
      saturated: false,
      threads: [],
    },
    members: [fakeMember()],
    littlesLaw: 0.98,
    steadiness: {
      label: 'steady',
      lastOverFirst: 1.01,
      isDriftSignificant: false,
      precisionPercent: 2.5,
      checkpoints: 0,
      longestGapSeconds: 0,
    },
    warnings: [],
    ...given,
  }
}

const noSeconds = { ok: [], failed: [], unknown: [], documents: [], p50Ms: [], p99Ms: [], maxMs: [] }

/** 100,000 calls of a millisecond. */
export const healthyOperation = (given: Partial<OperationResult> = {}): OperationResult =>
  fakeOperation({
    name: 'read',
    ok: 100_000,
    bytes: 100_000,
    latency: { ok: sameLatency(100_000), failed: null, unknown: null },
    perSecond: noSeconds,
    ...given,
  })

/** A phase that nobody could doubt, before it is judged. */
export function healthyPhase(given: Partial<PhaseResult> = {}): Omit<PhaseResult, 'warnings'> {
  const { warnings: _, ...phase } = fakePhase({
    name: 'phase',
    workers: 1,
    wallSeconds: 100,
    operations: [healthyOperation()],
    otherLoad: [{ runs: ['client'], cpuPercent: 0, usedPercent: 40 }],
    members: [],
    ...given,
  })
  return phase
}

export function fakeVariant(given: Partial<VariantResult> = {}): VariantResult {
  return {
    row: 0,
    run: 1,
    startUp: false,
    label: '',
    status: 'done',
    parameters: {},
    facts: {},
    server: {
      version: '6.0.5',
      topology: 'standalone',
      storageEngine: 'wiredTiger',
      cacheMB: 256,
      cores: 2,
      memoryMB: 7936,
      os: 'Debian 12',
      limits: null,
      pinnedCores: null,
      directIO: false,
      links: null,
      cluster: null,
      startedByUs: true,
    },
    data: [],
    phases: [fakePhase()],
    checks: [],
    storage: null,
    sharding: null,
    commands: ['mongod --dbpath <folder> --bind_ip 127.0.0.1 --wiredTigerCacheSizeGB 0.25'],
    warnings: [],
    startedAt: '2026-11-20T10:00:00.000Z',
    seconds: 12,
    ...given,
  }
}

export type FakeResult = Partial<Omit<Result, 'spec'>> & { readonly spec?: Partial<Result['spec']> }

export function fakeResult({ spec, ...given }: FakeResult = {}): Result {
  const variants = given.variants ?? [fakeVariant()]
  return {
    format: 'mongo-perf-result',
    version: resultVersion,
    tool: { name: 'mongo-perf', version: '0.1.0' },
    spec: {
      name: 'example',
      title: 'An example',
      description: 'What is measured, and why.',
      hash: '5f8c2e0b7d3a49161f0e8a7b6c5d4e3f5f8c2e0b7d3a49161f0e8a7b6c5d4e3f',
      seed: 42,
      profile: null,
      set: {},
      repeat: { times: 1, startUpRuns: 0 },
      rows: new Set(variants.map(({ row }) => row)).size,
      varied: [],
      report: {},
      thresholds: [],
      effective: {},
      ...spec,
    },
    environment: {
      host: {
        os: 'Linux 6.1',
        cpu: 'Example CPU 2.4 GHz',
        cores: 2,
        memoryMB: 7936,
        platform: 'linux x64',
        motherboard: null,
        disks: [],
      },
      node: 'v20.20.2',
      driver: {
        name: 'mongodb',
        version: '7.8.0',
        options: { maxPoolSize: 16, retryReads: false, retryWrites: false },
      },
    },
    pairing: null,
    compact: false,
    status: 'done',
    startedAt: '2026-11-20T10:00:00.000Z',
    finishedAt: '2026-11-20T10:01:00.000Z',
    variants,
    warnings: [],
    ...given,
  }
}

/** The smallest whole result. */
export const emptyResult = (given: Partial<Result> = {}): Result => ({
  ...fakeResult({ variants: [], spec: { rows: 1 } }),
  ...given,
})
