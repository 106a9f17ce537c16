import { type PhaseResult, type Result, type VariantResult } from '../../src/results/schema.ts'
import { type OperationResult } from '../../src/results/schema/calls.ts'
import { type MemberResources } from '../../src/results/schema/servers.ts'
import { cacheMisses } from './cache-misses.ts'
import { updateApi, writeConcernLatency, writeConcernModes } from './expression-recordings.ts'
import {
  fakeLatency,
  fakeMember,
  fakeOperation,
  fakePhase,
  fakeRandom,
  fakeResult,
  fakeTimes,
  fakeVariant,
} from './fake-result.ts'

/** Results made up for tests in the shape that runs leave, one for each shape of report: nobody measured these figures. `record.ts` stores them in fixtures/invented-results. */
export const recordings: Readonly<Record<string, () => Result>> = {
  quickstart: quickstart,
  'insert-batch-size': insertBatchSize,
  'hot-document': hotDocument,
  'query-types': queryTypes,
  'aborted-two-phases': abortedTwoPhases,
  'write-concern-modes': writeConcernModes,
  'write-concern-latency': writeConcernLatency,
  'update-api': updateApi,
  'cache-misses': cacheMisses,
}

type Course = {
  readonly name: string
  readonly kind: string
  readonly perSecond: number
  readonly medianMs: number
  readonly seconds: number
  readonly documentsPerCall?: number
  readonly documentBytes?: number | null
  readonly width?: number
  readonly failures?: number
}

const sampled = 3000

/** An operation that ran at a slightly uneven pace, with its latency histogram. */
function course(random: () => number, given: Course): OperationResult {
  const {
    name,
    kind,
    perSecond,
    medianMs,
    seconds,
    documentsPerCall = 1,
    documentBytes = 1024,
    width = 0.35,
    failures = 0,
  } = given
  const ok = Array.from({ length: Math.ceil(seconds) }, (_, second) => {
    const part = Math.min(1, seconds - second)
    const pause = second === 8 ? 0.72 : 1
    const steady = Math.floor((second + part) * perSecond) - Math.floor(second * perSecond)
    return Math.round(steady * pause * (0.94 + 0.12 * random()))
  })
  const total = ok.reduce((sum, count) => sum + count, 0)
  const latency = fakeLatency(fakeTimes(random, Math.min(sampled, total), medianMs, width))
  const near = (value: number): number => Number((value * (0.95 + 0.1 * random())).toFixed(3))
  return fakeOperation({
    name,
    kind,
    ok: total,
    failed: failures,
    documents: total * documentsPerCall,
    bytes: documentBytes === null ? null : total * documentsPerCall * documentBytes,
    inserted: kind.startsWith('insert') ? total * documentsPerCall : 0,
    errors:
      failures === 0
        ? []
        : [
            {
              code: '112',
              name: 'WriteConflict',
              outcome: 'failed',
              labels: [],
              count: failures,
              message: 'Write conflict',
            },
          ],
    latency: {
      ok: latency,
      failed: failures === 0 ? null : fakeLatency(fakeTimes(random, failures, medianMs)),
      unknown: null,
    },
    perSecond: {
      ok,
      failed: ok.map((_, second) => (second === 8 ? failures : 0)),
      unknown: ok.map(() => 0),
      documents: ok.map((count) => count * documentsPerCall),
      p50Ms: ok.map(() => near(latency.p50Ms)),
      p99Ms: ok.map((_, second) => near(latency.p99Ms * (second === 8 ? 3 : 1))),
      maxMs: ok.map((_, second) => near(latency.maxMs * (second === 8 ? 1 : 0.4))),
    },
  })
}

type Load = {
  readonly cpu: number
  readonly ioWait: number
  readonly pagesPerSecond: number
  readonly writtenMBps: number
  readonly iops: number
}

function primary(seconds: number, { cpu, ioWait, pagesPerSecond, writtenMBps, iops }: Load): MemberResources {
  const total = 2000 * seconds
  const written = Math.round(writtenMBps * seconds * 1024 * 1024)
  return fakeMember({
    totals: {
      ...fakeMember().totals,
      hostCpuBusyMs: Math.round(total * cpu),
      hostCpuIoWaitMs: Math.round(total * ioWait),
      hostCpuTotalMs: Math.round(total),
      processCpuUs: Math.round(total * cpu * 800),
      pagesReadIntoCache: Math.round(pagesPerSecond * seconds),
      blockManagerBytesWritten: written,
      bytesWrittenFromCache: written * 2,
      journalBytes: Math.round(written * 0.6),
      diskReads: Math.round(pagesPerSecond * seconds),
      diskWrites: Math.round(iops * seconds),
      diskWriteBytes: Math.round(written * 1.7),
      diskReadBytes: Math.round(pagesPerSecond * seconds * 16 * 1024),
    },
    perSecond: {},
  })
}

const mixReport = {
  tables: [
    {
      title: 'Performance',
      rows: 'operations',
      columns: [
        { row: 'operation', title: 'Operation' },
        'operations',
        'opsPerSecond',
        'meanMs',
        'p50Ms',
        'p95Ms',
        'p99Ms',
        'errors',
      ],
    },
  ],
  charts: [
    { kind: 'line', x: 'second', y: ['opsPerSecond'], series: [{ row: 'operation' }] },
    { kind: 'percentiles', series: [{ row: 'operation' }] },
  ],
}

function quickstart(): Result {
  const random = fakeRandom(7)
  const seconds = 15.004
  const operations = [
    course(random, { name: 'findOne', kind: 'findOne', perSecond: 4210, medianMs: 1.7, seconds, documentBytes: 96 }),
    course(random, {
      name: 'insertOne',
      kind: 'insertOne',
      perSecond: 1050,
      medianMs: 2.4,
      seconds,
      documentBytes: 96,
    }),
    course(random, {
      name: 'updateOne',
      kind: 'updateOne',
      perSecond: 1400,
      medianMs: 2.5,
      seconds,
      documentBytes: null,
      failures: 3,
    }),
    course(random, {
      name: 'lastOrders',
      kind: 'find',
      perSecond: 352,
      medianMs: 2.9,
      seconds,
      documentsPerCall: 10,
      documentBytes: 96,
    }),
  ]
  const warnings = [
    {
      code: 'errors',
      message: 'Calls did not succeed: 3 of 20868 updateOne. Most often 112 WriteConflict: Write conflict',
      advice: 'Throughput counts successful calls alone. Look at the errors before comparing this row.',
    },
  ]
  const phase = fakePhase({ name: 'mix', wallSeconds: seconds, operations, members: [standalone(seconds)], warnings })
  return fakeResult({
    spec: {
      name: 'quickstart',
      title: 'A mix people recognise',
      description: 'Point reads, inserts, updates and short queries on a collection of orders, from 16 workers.',
      report: mixReport,
      thresholds: ['errors == 0', 'findOne.p99Ms < 500'],
    },
    variants: [
      fakeVariant({
        parameters: { documents: { value: 50_000 }, workers: { value: 16 }, seconds: { value: 15 } },
        phases: [phase],
      }),
    ],
  })
}

function standalone(seconds: number): MemberResources {
  return {
    ...primary(seconds, { cpu: 0.88, ioWait: 0.01, pagesPerSecond: 0.2, writtenMBps: 2.1, iops: 160 }),
    role: 'standalone',
  }
}

const batch = { parameter: 'batch', title: 'Write Batch Size' }

const batchReport = {
  tables: [
    {
      title: 'Performance',
      columns: [
        batch,
        'wallSeconds',
        'dataLoadedMB',
        'docsPerSecond',
        'mbPerSecond',
        'meanMs',
        'p99Ms',
        { metric: 'docsPerSecond', show: 'interval' },
      ],
    },
    {
      title: 'Resource Usage',
      columns: [
        batch,
        'cpuPercent',
        'ioWaitPercent',
        'pagesReadPerSecond',
        'cacheWrittenKBps',
        'journalKBps',
        'diskIops',
        'diskWriteMBps',
        'diskReadMBps',
      ],
    },
  ],
  charts: [{ kind: 'bar', x: { parameter: 'batch' }, y: ['docsPerSecond'] }],
  analysis: [
    'Each call costs the network, a commit and an acknowledgement by a majority, whatever it carries.',
    'Batches share that cost.',
  ],
  keyTakeaways: ['- Write in batches of 100 to 1000 documents.', '- Larger ones only make each call slower.'],
}

function insertBatchSize(): Result {
  const random = fakeRandom(11)
  const documents = 60_000
  const speeds = [
    { size: 1, speed: 2100, medianMs: 22.4 },
    { size: 10, speed: 9300, medianMs: 50.9 },
    { size: 100, speed: 14_900, medianMs: 318 },
    { size: 1000, speed: 16_200, medianMs: 2880 },
    { size: 2000, speed: 15_700, medianMs: 5900 },
  ]
  const variants = [1, 2, 3, 4].flatMap((run) =>
    speeds.map(({ size, speed, medianMs }, row): VariantResult => {
      const pace = (run === 1 ? 0.8 : 1) * (0.95 + 0.1 * random())
      const wallSeconds = Number((documents / speed / pace).toFixed(3))
      const perSecond = documents / size / wallSeconds
      const insert = course(random, {
        name: 'insertMany',
        kind: 'insertMany',
        perSecond,
        medianMs: medianMs / pace,
        seconds: wallSeconds,
        documentsPerCall: size,
        documentBytes: 4170,
      })
      const phase = fakePhase({
        name: 'insert',
        workers: 48,
        wallSeconds,
        endedBecause: 'documents',
        operations: [insert],
        members: [
          primary(wallSeconds, {
            cpu: 0.55 + row * 0.08,
            ioWait: 0.04 + row * 0.03,
            pagesPerSecond: 3,
            writtenMBps: speed / 400,
            iops: 900 - row * 90,
          }),
        ],
        warnings: size === 1 ? [clientLimited(0.96 + run / 100)] : wallSeconds < 10 ? [shortWindow(wallSeconds)] : [],
        client: { ...fakePhase().client, saturated: size === 1 },
      })
      return fakeVariant({
        row,
        run,
        startUp: run === 1,
        label: `batch ${size}`,
        parameters: {
          documents: { value: documents },
          documentKB: { value: 4 },
          workers: { value: 48 },
          batch: { value: size },
        },
        server: { ...replicaSet },
        phases: [phase],
      })
    }),
  )
  return fakeResult({
    spec: {
      name: 'insert-batch-size',
      title: 'Impact of client write batch size on write speed',
      description: 'Documents of 4 KB are inserted with `insertMany`, in batches of different sizes.',
      report: batchReport,
      repeat: { times: 4, startUpRuns: 1 },
      effective: { variants: { batch: [1, 10, 100, 1000, 2000] } },
    },
    variants,
  })
}

const replicaSet = {
  version: '6.0.5',
  topology: 'replica set of 3',
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
} as const

function clientLimited(share: number): PhaseResult['warnings'][number] {
  return {
    code: 'client-limited',
    message: `This client was busy for ${Math.round(share * 100)} % of the window and may have set the pace`,
    advice:
      'The server may be faster than this row says. Use fewer workers, a faster client machine or several clients.',
  }
}

function shortWindow(seconds: number): PhaseResult['warnings'][number] {
  return {
    code: 'short-window',
    message: `The window was only ${seconds.toFixed(1)} s, shorter than 10 s`,
    advice: 'Use it to see that the spec works. To compare, give the phase more operations or seconds.',
  }
}

const hotReport = {
  tables: [
    {
      title: 'Performance',
      columns: [
        { parameter: 'workers', title: 'Num Threads' },
        { parameter: 'updatingIndex', title: 'Updating Index' },
        'writeConflicts',
        'wallSeconds',
        { metric: 'opsPerSecond', title: 'Update Speed (docs/s)' },
        { metric: 'meanMs', title: 'Average Op Latency (ms)', digits: 2 },
      ],
    },
  ],
  charts: [
    { kind: 'line', x: { parameter: 'workers' }, y: ['opsPerSecond'], series: [{ parameter: 'updatingIndex' }] },
    {
      kind: 'line',
      title: 'Speed and tail',
      x: { parameter: 'workers' },
      y: ['opsPerSecond', 'p99Ms'],
      series: [{ parameter: 'updatingIndex' }],
    },
  ],
}

function hotDocument(): Result {
  const random = fakeRandom(23)
  const workers = [10, 20, 50, 100, 200, 400]
  const rows = [false, true].flatMap((index) => workers.map((count) => ({ index, count })))
  const variants = rows.map(({ index, count }, row): VariantResult => {
    const speed = (index ? 1150 : 1500) * Math.min(1, 0.55 + count / 120) * (count > 100 ? 100 / count + 0.35 : 1)
    const wallSeconds = Number((20_000 / speed).toFixed(3))
    const update = course(random, {
      name: 'updateOne',
      kind: 'updateOne',
      perSecond: speed,
      medianMs: (count / speed) * 950,
      seconds: wallSeconds,
      documentBytes: null,
    })
    const member = primary(wallSeconds, { cpu: 0.6, ioWait: 0.1, pagesPerSecond: 0, writtenMBps: 3, iops: 700 })
    const conflicts = Math.round(20_000 * (0.3 + count / 80))
    const phase = fakePhase({
      name: 'update',
      workers: count,
      wallSeconds,
      operations: [update],
      members: [{ ...member, totals: { ...member.totals, writeConflicts: conflicts } }],
    })
    return fakeVariant({
      row,
      label: `updatingIndex ${index}, workers ${count}`,
      parameters: {
        documents: { value: 10_000 },
        updatingIndex: { value: index, label: index ? 'true' : '' },
        workers: { value: count },
      },
      server: { ...replicaSet },
      phases: [phase],
    })
  })
  return fakeResult({
    spec: {
      name: 'hot-document',
      title: 'Impact of hot documents and concurrency on write performance',
      description: 'Everybody increments the counter of one document.',
      report: hotReport,
    },
    variants,
  })
}

const queryReport = {
  tables: [
    {
      title: 'Base Instance',
      rows: 'once',
      columns: [
        { fact: 'instanceType', title: 'Instance Type' },
        { fact: 'diskIops', title: 'Disk IOPS' },
      ],
    },
    {
      title: 'Performance',
      columns: [
        { row: 'letter', title: '' },
        { parameter: 'label', title: 'Query Type' },
        'wallSeconds',
        { metric: 'opsPerSecond', title: 'Speed (Queries/s)' },
        'p50Ms',
        'p99Ms',
      ],
    },
    {
      title: 'Resource Usage',
      columns: [
        { parameter: 'label', title: 'Query Type' },
        'cpuPercent',
        'ioWaitPercent',
        'pagesReadPerSecond',
        'networkOutKBps',
        'diskIops',
      ],
    },
  ],
  charts: [
    { kind: 'bar', x: { parameter: 'label' }, y: ['opsPerSecond'] },
    { kind: 'bar', title: 'Latency of each query', x: { parameter: 'label' }, y: ['p50Ms', 'p99Ms'] },
    { kind: 'percentiles', series: [{ parameter: 'label' }] },
  ],
}

const queries = [
  ['Find one document by _id, in cache', 9800],
  ['Find one document by _id, not in cache', 1610],
  ['Find 100 documents by an index, in cache', 1480],
  ['Find 100 documents by an index, not in cache', 61],
  ['Find 20 documents by an index', 4260],
  ['Find 20 documents after skipping 380', 1210],
  ['Find 20 documents from a range instead of skip', 4105],
  ['Find one document, second field not indexed', 37],
  ['Find one document, both fields indexed', 8920],
  ['Find 100 documents by $in over _id, in cache', 1105],
  ['Find 100 documents by $in over _id, not in cache', 44.6],
  ['Count with an index', 7010],
  ['Count | without an index', 0.31],
  ['Sort 1000 documents in memory', 212],
] as const

/** An existing server that answers no diagnostic data; one row failed, another was cut short by its errors. */
function queryTypes(): Result {
  const random = fakeRandom(31)
  const seconds = 10
  const variants = queries.map(([label, speed], row): VariantResult => {
    const failed = row === 11
    const find = course(random, {
      name: 'find',
      kind: 'find',
      perSecond: speed,
      medianMs: 47_000 / speed,
      seconds: row === 12 ? 200 : seconds,
      width: 0.25,
    })
    const member = {
      ...primary(seconds, { cpu: 0.7, ioWait: 0, pagesPerSecond: speed < 100 ? 5200 : 0, writtenMBps: 0, iops: 0 }),
      source: 'serverStatus' as const,
    }
    const { hostCpuBusyMs: _busy, hostCpuIoWaitMs: _wait, diskReads: _reads, ...totals } = member.totals
    const phase = fakePhase({
      name: 'query',
      workers: 48,
      wallSeconds: row === 12 ? 200 : seconds,
      operations: [find],
      members: [
        {
          ...member,
          totals: { ...totals, hostCpuTotalMs: null },
          unavailable: { hostCpuTotalMs: 'getDiagnosticData is not allowed here' },
        },
      ],
    })
    return fakeVariant({
      row,
      label,
      status: failed ? 'failed' : 'done',
      ...(failed ? { error: 'The index {group: 1} could not be built: out of disk space' } : {}),
      parameters: {
        documents: { value: 600_000 },
        limit: { value: row < 2 ? 1 : 100 },
        filter: { value: { group: row } },
      },
      facts: { instanceType: 'M40', diskType: 'STANDARD', diskIops: 3000 },
      server: {
        ...replicaSet,
        version: '8.0.13',
        topology: 'replica set of 3',
        cores: null,
        memoryMB: null,
        os: null,
        cacheMB: 8192,
        startedByUs: false,
      },
      phases: failed ? [] : [phase],
    })
  })
  return fakeResult({
    status: 'failed',
    spec: {
      name: 'query-types',
      title: 'High-level comparison of querying types',
      description: 'What kinds of query cost.',
      report: queryReport,
      profile: 'published',
      set: { documents: 600_000 },
    },
    variants,
  })
}

/** No report part: the defaults. Aborted in the second phase of its third row. */
function abortedTwoPhases(): Result {
  const random = fakeRandom(43)
  const variants = [1, 2, 4].map((sizeKB, row): VariantResult => {
    const cut = row === 2
    const seconds = cut ? 3.2 : 12
    const documentBytes = sizeKB * 1030
    const write = course(random, {
      name: 'insertMany',
      kind: 'insertMany',
      perSecond: 90 / sizeKB,
      medianMs: 80 * sizeKB,
      seconds: 12,
      documentsPerCall: 100,
      documentBytes,
    })
    const read = course(random, {
      name: 'findOne',
      kind: 'findOne',
      perSecond: 5200 / sizeKB,
      medianMs: 1.4 * sizeKB,
      seconds,
      documentBytes,
    })
    const aborted = {
      code: 'aborted',
      message: 'The phase was aborted before it reached its end',
      advice: 'Run it again; this row covers only a part of the work.',
    }
    return fakeVariant({
      row,
      label: `sizeKB ${sizeKB}`,
      status: cut ? 'aborted' : 'done',
      parameters: { sizeKB: { value: sizeKB }, workers: { value: 8 } },
      phases: [
        fakePhase({ name: 'write', workers: 8, wallSeconds: 12, operations: [write], members: [standalone(12)] }),
        fakePhase({
          name: 'read',
          workers: 8,
          wallSeconds: seconds,
          operations: [read],
          members: [standalone(seconds)],
          endedBecause: cut ? 'aborted' : 'seconds',
          warnings: cut ? [aborted] : [],
        }),
      ],
    })
  })
  return fakeResult({
    status: 'aborted',
    finishedAt: null,
    spec: {
      name: 'aborted-two-phases',
      title: 'Write, then read back',
      description: '',
      rows: 5,
      effective: { variants: { sizeKB: [1, 2, 4, 8, 16] } },
    },
    variants,
    warnings: [
      {
        code: 'client-load',
        message: 'Other programs used 12 % of this machine while it was measuring',
        advice: 'Measure on an idle machine.',
      },
    ],
  })
}
