import { z } from 'zod'
import { metricNames } from '../resources/metrics.ts'

/** Raised when an older reader would misunderstand a newer file. Older files are brought up to date in `upgrade.ts`. */
export const resultVersion = 1

const nullableSeries = z.array(z.number().nullable())

/** Latency of one operation and one outcome. Milliseconds, from integer microseconds; the histogram is HDR V2 base64 in microseconds. */
export const latency = z.object({
  count: z.int(),
  meanMs: z.number(),
  minMs: z.number(),
  maxMs: z.number(),
  p50Ms: z.number(),
  p95Ms: z.number(),
  p99Ms: z.number(),
  p999Ms: z.number(),
  /** Samples outside of 1 µs to 10 min, recorded as the nearest end of that range. */
  clamped: z.int(),
  /** Null in a compact result. */
  histogram: z.string().nullable(),
})

export const latencySummary = latency.omit({ clamped: true, histogram: true })

export const outcomeKind = z.enum(['ok', 'failed', 'unknown'])

export const errorCount = z.object({
  /** Server error code, or the driver's error name where the server gave none. */
  code: z.string(),
  name: z.string(),
  outcome: outcomeKind,
  /** What the server and the driver said may be done about it, such as "RetryableWriteError". */
  labels: z.array(z.string()).default([]),
  count: z.int(),
  /** The first message seen, redacted. */
  message: z.string(),
})

/** One entry per second of the timed window; the last second may be a part of one. Null: no sample in that second. */
export const perSecond = z.object({
  ok: z.array(z.int()),
  failed: z.array(z.int()),
  unknown: z.array(z.int()),
  documents: z.array(z.int()),
  p50Ms: nullableSeries,
  p99Ms: nullableSeries,
  maxMs: nullableSeries,
})

const responsePerSecond = {
  responseP50Ms: nullableSeries,
  responseP99Ms: nullableSeries,
  responseMaxMs: nullableSeries,
}

/** Times of an open loop, counted from the moment for which the plan had a call. */
const timesOfPlan = {
  /** From then until it was sent, of all calls: how far behind the plan this client was. Null: nothing was sent. */
  wait: latency.nullable(),
  /** From then until its answer, of the successful calls. Null: none succeeded. */
  response: latency.nullable(),
  /** Calls that were sent more than 2 ms after that moment: more than the timers of Node account for. */
  late: z.int(),
}

export const openTimes = z.object({ ...timesOfPlan, perSecond: z.object(responsePerSecond) })

/** How the plan of an open loop was kept, all operations together. */
export const openLoopResult = z.object({
  arrivals: z.enum(['poisson', 'constant']),
  /** Calls per second that were asked for: the mean of the window. */
  ratePerSecond: z.number(),
  /** How long calls were sent: the length of the plan, or until it was broken off. The window ends with the last answer. */
  seconds: z.number(),
  maxInFlight: z.int(),
  /** Most calls that waited for their answers at the same time. */
  peakInFlight: z.int(),
  /** Calls that were due: those that were sent and those that were dropped. */
  planned: z.int(),
  sent: z.int(),
  /** Due while `maxInFlight` calls waited for their answers, and never sent. */
  dropped: z.int(),
  ...timesOfPlan,
  perSecond: z.object({
    ...responsePerSecond,
    /** By the second for which they were planned. */
    planned: z.array(z.int()),
    dropped: z.array(z.int()),
  }),
})

/** What calls of one operation, or of one step of it, came to. */
const outcomes = {
  name: z.string(),
  kind: z.string(),
  ok: z.int(),
  failed: z.int(),
  unknown: z.int(),
  /**
   * Documents acknowledged (written, changed, deleted) or read, in successful calls and in the successful part of failed ones.
   * Null where calls give none (a count, a command); older results say 0.
   */
  documents: z.int().nullable(),
  /** BSON bytes of those documents. Null where the operation moves none (an update, a delete). */
  bytes: z.int().nullable(),
  matched: z.int(),
  modified: z.int(),
  upserted: z.int(),
  inserted: z.int(),
  deleted: z.int(),
  errors: z.array(errorCount),
  latency: z.object({ ok: latency.nullable(), failed: latency.nullable(), unknown: latency.nullable() }),
}

/** One call inside of an operation of several. Times and counts are those of the calls that were sent. */
export const stepResult = z.object({
  ...outcomes,
  /** How often its `when` was false. */
  skipped: z.int(),
})

/** Single timings of successful calls, kept on request: call number in the phase, from 0, and latency. */
export const samples = z.object({
  numbers: z.array(z.int()),
  ms: z.array(z.number()),
  /** Timings beyond the number that is kept. */
  dropped: z.int(),
})

/** What transactions took. Counts are those of all of them, whatever came of each. */
export const transactionResult = z.object({
  runner: z.enum(['managed', 'withTransaction']),
  /** How often one was tried at most. Null: as long as the runner likes, within the deadline. */
  maxAttempts: z.int().nullable(),
  /** As they were sent with every transaction. */
  readConcern: z.record(z.string(), z.unknown()),
  writeConcern: z.record(z.string(), z.unknown()),
  readPreference: z.record(z.string(), z.unknown()),
  /** How often transactions were begun; all but the first attempts of each are retries. */
  attempts: z.int(),
  retries: z.int(),
  /** Attempts that ended because another transaction had written to the same document: error 112. */
  conflicts: z.int(),
  /** How often a commit was sent again. Those that the driver sends by itself are not known. */
  commitRetries: z.int(),
  commits: z.int(),
  /** Aborted on purpose, in all and by reason. They moved nothing, so they are no throughput and no error. */
  aborted: z.int(),
  aborts: z.record(z.string(), z.int()),
  unknownCommits: z.int(),
  latency: z.object({
    /** Of transactions that were committed in their first attempt, from its beginning to the end of its commit. */
    firstTry: latency.nullable(),
    /** Of commits that succeeded, from the first time that each was sent to its answer. */
    commit: latency.nullable(),
    /** Of transactions that were aborted on purpose, as a whole. */
    aborted: latency.nullable(),
  }),
})

export const operationResult = z.object({
  ...outcomes,
  perSecond,
  /** Of the documents that reads expected (`expectDocuments`), those that came and those that did not. Null: none expected. */
  found: z.int().nullable().default(null),
  missing: z.int().nullable().default(null),
  /** Empty for operations of one call. */
  steps: z.array(stepResult).default([]),
  /** Null in a closed loop, where nothing is planned: calls go out when they can. */
  openLoop: openTimes.nullable().default(null),
  samples: samples.nullable().default(null),
  /** Null: it is no transaction. */
  transaction: transactionResult.nullable().default(null),
})

/** A change stream that watched while the operations of its phase wrote. */
export const streamResult = z.object({
  name: z.string(),
  kind: z.string(),
  events: z.int(),
  /** Events by their type, such as "insert". */
  byType: z.record(z.string(), z.int()),
  /** From the write, as the server dates it, to the event in the client's hands. Null: the server does not date events. */
  lag: latency.nullable(),
  perSecond: z.object({
    events: z.array(z.int()),
    lagP50Ms: nullableSeries,
    lagP99Ms: nullableSeries,
    lagMaxMs: nullableSeries,
  }),
  errors: z.array(errorCount),
})

/** What each thread that makes calls has of its own. */
const ofOneThread = {
  /** Share of the window in which the event loop was busy, 0 to 1. */
  eventLoopUtilization: z.number(),
  /** How late timers fired, resolution of the meter taken off. Null when the loop was too busy to fire one. */
  eventLoopDelayP99Ms: z.number().nullable(),
  eventLoopDelayMaxMs: z.number().nullable(),
  gcMs: z.number(),
  gcCount: z.int(),
  heapUsedMB: z.number(),
  /** True: this client, not the server, may have set the pace. */
  saturated: z.boolean(),
}

export const threadHealth = z.object({ workers: z.int(), ...ofOneThread })

/** With several threads: the worst of their event loops, and the sums of their garbage collections and heaps. */
export const clientHealth = z.object({
  ...ofOneThread,
  /** CPU time of this process over the window, in percent of one core. */
  cpuPercent: z.number(),
  rssMB: z.number(),
  /** Every thread that made calls; empty where the main thread made them. */
  threads: z.array(threadHealth).default([]),
})

export const memberResources = z.object({
  member: z.string(),
  role: z.enum(['primary', 'secondary', 'standalone', 'other']),
  /** Which command answered for this member, null when none did. */
  source: z.enum(['getDiagnosticData', 'serverStatus']).nullable(),
  /** What the counters rose by between the edges of the window, and gauges at its end. Null: not available here. */
  totals: z.partialRecord(z.enum(metricNames), z.number().nullable()),
  /** Why a metric is null. */
  unavailable: z.partialRecord(z.enum(metricNames), z.string()),
  /** One entry per second of the window. Counters as the rise in that second, gauges as read. */
  perSecond: z.partialRecord(z.enum(metricNames), nullableSeries),
  /** A counter fell or the process id changed: the server restarted inside the window, and totals would lie. */
  restarted: z.boolean(),
  sampler: z.object({ samples: z.int(), failed: z.int(), meanMs: z.number().nullable(), bytes: z.int() }),
})

export const warning = z.object({
  code: z.string(),
  /** What is in doubt, a sentence without a final period. */
  message: z.string(),
  advice: z.string(),
})

export const steadiness = z.object({
  label: z.enum(['steady', 'drifting', 'unsettled', 'too short']),
  /** Throughput of the last third over that of the first third. */
  lastOverFirst: z.number().nullable(),
  /** (90th - 10th percentile) / median of the per-second throughput. */
  spread: z.number().nullable(),
  checkpoints: z.number().nullable(),
})

/** One time that a fault happened. All seconds are since the beginning of the timed window. */
export const faultOccurrence = z.object({
  /** Of a fault by chance, what was drawn. */
  kind: z.string().optional(),
  plannedAtSeconds: z.number(),
  /** When it really began, and when it was complete (a process gone, a link cut). */
  beganAtSeconds: z.number(),
  doneAtSeconds: z.number(),
  /** When it was to be undone. Null: it has nothing to undo. */
  plannedUndoSeconds: z.number().nullable(),
  /** When it really was undone: the process answers again, the link is open. Null: nothing to undo, or it failed. */
  undoneAtSeconds: z.number().nullable(),
  /** The members that it met, as they were when it began: a "primary" is resolved then. */
  targets: z.array(z.string()),
  primaryBefore: z.string().nullable(),
  termBefore: z.int().nullable(),
  /** Why it, or its undoing, did not work. */
  error: z.string().nullable(),
})

/** What was done to the servers on purpose, in a phase. */
export const faultResult = z.object({
  name: z.string(),
  kind: z.string(),
  occurrences: z.array(faultOccurrence),
})

/** What one occurrence of a fault cost: from its beginning until the next fault began, or the window ended. */
export const availability = z.object({
  /** The name of the fault, and which of its occurrences this is, from 0. */
  fault: z.string(),
  occurrence: z.int(),
  /** Until another member, or the same one with a higher term, called itself primary. Null: the primary stayed, or nobody was elected. */
  newPrimaryMs: z.number().nullable(),
  /** Longest time without a successful call, also where it only reaches into that time. Null: no call ended in it. */
  longestGapMs: z.number().nullable(),
  /** Until the first success of a call that was sent after the fault began. Null: there was none. */
  firstSuccessMs: z.number().nullable(),
  /** Whole seconds of the window in which calls were due and none succeeded. */
  unavailableSeconds: z.int(),
  failed: z.int(),
  unknown: z.int(),
  /** Of the calls that ended in that time. */
  errors: z.array(errorCount),
})

/** What was seen of a set while faults happened: asked several times a second, past all proxies. */
export const electionWatch = z.object({
  /** Who called itself primary from then on, with its term; null: nobody did. Members that are paused say nothing. */
  primaries: z.array(z.object({ atSeconds: z.number(), member: z.string().nullable(), term: z.int().nullable() })),
  /** Rollback ids of the members before the first fault and after the last one. Null: it gave none. A rise is a rollback. */
  rollbackIds: z.array(z.object({ member: z.string(), before: z.int().nullable(), after: z.int().nullable() })),
})

/** What became of the documents that inserts have sent without waiting for an answer. */
export const unacknowledged = z.object({
  sent: z.int(),
  /** By the number of documents before and after. Null: it does not tell. */
  arrived: z.int().nullable(),
  /** From the end of the window until they were counted. */
  waitedMs: z.number(),
  /** Why the number does not tell. */
  reason: z.string().nullable(),
})

/** One step of a search for the best number of workers: a closed loop of so many workers. */
export const peakStep = z.object({
  workers: z.int(),
  /** From its first call sent to its last call answered. */
  seconds: z.number(),
  ok: z.int(),
  /** Calls that failed or whose outcome is unknown. */
  errors: z.int(),
  /** Successful calls divided by the seconds. */
  opsPerSecond: z.number(),
  /** Of the successful calls. Null: there was none. */
  latency: latencySummary.nullable(),
})

/** What a search for the best number of workers found. */
export const peak = z.object({
  /** In the order in which they were tried. One that was aborted is not among them. */
  steps: z.array(peakStep),
  /** The smallest number of workers whose throughput was within the margin of the greatest. Null: nothing succeeded. */
  workers: z.int().nullable(),
  /** Throughput of that step. */
  opsPerSecond: z.number().nullable(),
})

export const phaseResult = z.object({
  name: z.string(),
  /** Callers of a closed loop; of an open one the calls that may be in flight. */
  workers: z.int(),
  /** Threads of the operating system that the workers were spread over. */
  threads: z.int().default(1),
  load: z.enum(['closed', 'open', 'findPeak']),
  /** What the driver repeated by itself: nothing, or what it does by default. */
  retries: z.enum(['none', 'driver']).default('none'),
  writeConcern: z.record(z.string(), z.unknown()),
  readConcern: z.record(z.string(), z.unknown()),
  readPreference: z.record(z.string(), z.unknown()),
  startedAt: z.iso.datetime(),
  /** Timed window: first call sent to last call answered; of an open loop all of its plan, and until the last answer. */
  wallSeconds: z.number(),
  endedBecause: z.enum(['operations', 'documents', 'seconds', 'everything failed', 'aborted']),
  /** Order-independent digest of the operations that were sent: equal digests, equal sets of operations. */
  digest: z.string(),
  operations: z.array(operationResult),
  /** Of the successful calls of several operations together, where a compact result has no histograms to tell it from. */
  latency: latencySummary.nullable().default(null),
  streams: z.array(streamResult).default([]),
  client: clientHealth,
  members: z.array(memberResources),
  /** Closed loop: mean latency x throughput / workers. About 1 when the workers were always busy with calls. Else null. */
  littlesLaw: z.number().nullable(),
  steadiness,
  /** Null: writes were acknowledged, or nothing was inserted. */
  unacknowledged: unacknowledged.nullable().default(null),
  /** Null: a closed loop. */
  openLoop: openLoopResult.nullable().default(null),
  faults: z.array(faultResult).default([]),
  /** Null: there were no faults, or the target is no set. */
  elections: electionWatch.nullable().default(null),
  /** One entry for each time that a fault happened, in the order of their beginnings. */
  availability: z.array(availability).default([]),
  /** Null: the number of workers stayed as it was. */
  peak: peak.nullable().default(null),
  /** What the spec says of the rows that it reads, to be held against the pages that the server read. */
  claims: z.object({ cached: z.boolean() }).nullable().default(null),
  warnings: z.array(warning),
})

export const parameterValue = z.object({
  value: z.json(),
  label: z.string().optional(),
  /** Position in the list of the variants that it was taken from: values that use other parameters differ where the choice does not. */
  choice: z.int().optional(),
})

export const dataSetResult = z.object({
  collection: z.string(),
  rows: z.int(),
  /** How the rows came there: made, read from a file, kept (with what updates changed) or copied from an earlier row of the tables, or not ours. */
  source: z.enum(['generated', 'file', 'kept', 'changed', 'copied', 'existing']).default('generated'),
  /** Preload, outside of every timed window. */
  loadSeconds: z.number(),
  documentsPerSecond: z.number().nullable(),
  meanDocumentBytes: z.number().nullable(),
  indexes: z.array(z.string()),
  indexSeconds: z.number(),
})

/** What a server was held to. Null: no limit. */
export const serverLimits = z.object({
  cpus: z.number().nullable(),
  memoryMB: z.number().nullable(),
  readIops: z.number().nullable(),
  writeIops: z.number().nullable(),
  readMBps: z.number().nullable(),
  writeMBps: z.number().nullable(),
})

/** What the links of a replica set came to, before its first row. */
export const achievedLinks = z.object({
  /** What a round trip through a proxy that adds nothing costs. Null: not measured. */
  ownCostMs: z.number().nullable(),
  pairs: z.array(
    z.object({
      /** "client" or "member0". */
      from: z.string(),
      to: z.string(),
      /** Round trip as it was asked for, and how much longer it might be by chance. */
      rttMs: z.number(),
      jitterMs: z.number(),
      /** False: asked for so little that nothing was added. */
      delayed: z.boolean(),
      /** Median of pings over the link, less that of pings past it. */
      achievedMs: z.number(),
    }),
  ),
})

/** Of a replica set, this is the primary as it was when the row began. */
export const serverInfo = z.object({
  version: z.string(),
  topology: z.string(),
  storageEngine: z.string().nullable(),
  cacheMB: z.number().nullable(),
  /** What it may use: of its host, or of its limits. */
  cores: z.number().nullable(),
  memoryMB: z.number().nullable(),
  /** Null: none of ours. */
  limits: serverLimits.nullable().default(null),
  /** Whether its data files went around the page cache, by our doing. */
  directIO: z.boolean().default(false),
  /** Null: nothing is delayed. */
  links: achievedLinks.nullable().default(null),
  os: z.string().nullable(),
  /** "existing" servers are told apart by their shape, never by their address. */
  startedByUs: z.boolean(),
})

/** What a check of a row found. */
export const checkResult = z.object({
  name: z.string(),
  kind: z.string(),
  /** "allowed": something acknowledged was lost, as the write concern lets it be. */
  status: z.enum(['held', 'violated', 'allowed', 'not-checked']),
  /** Why it was not checked, or why a loss is allowed; null otherwise. */
  reason: z.string().nullable(),
  /** Its figures by their names in `check-measures.ts`; empty where it was not checked. */
  measures: z.record(z.string(), z.number()),
  /** The first examples of what was wrong. */
  evidence: z.array(z.string()),
})

/** What the collections of a row took on disk after its last phase: on the primary, or on the primaries of all shards together. */
export const storage = z.object({
  collections: z.array(
    z.object({
      collection: z.string(),
      /** BSON bytes of its documents, before compression. */
      documentBytes: z.number(),
      /** Size of its file. */
      dataBytes: z.number(),
      /** Size of the files of its indexes. */
      indexBytes: z.number(),
    }),
  ),
  /** Whether all that was written was in the files: a checkpoint went before. */
  afterCheckpoint: z.boolean(),
})

/** One row of the spec in one round of its repeats. */
export const variantResult = z.object({
  /** Position of the row in the spec, from 0. */
  row: z.int(),
  /** Round of the repeats, from 1. */
  run: z.int(),
  /** A start-up run is kept, and left out of medians. */
  startUp: z.boolean(),
  label: z.string(),
  status: z.enum(['done', 'aborted', 'failed']),
  error: z.string().optional(),
  parameters: z.record(z.string(), parameterValue),
  facts: z.record(z.string(), z.json()),
  server: serverInfo.nullable(),
  data: z.array(dataSetResult),
  phases: z.array(phaseResult),
  checks: z.array(checkResult).default([]),
  /** Null: no table, chart or threshold tells it, the row was aborted, or the server does not tell. */
  storage: storage.nullable().default(null),
  /** Every command that started and configured the servers of this row, for repeating it by hand. */
  commands: z.array(z.string()),
  warnings: z.array(warning),
  startedAt: z.iso.datetime(),
  seconds: z.number(),
})

/** A disk as the kernel of its machine tells of it. */
export const disk = z.object({
  /** "sda", "nvme0n1" */
  name: z.string(),
  model: z.string().nullable(),
  sizeMB: z.number(),
  /** Whether it turns. Virtual disks are often said to. */
  rotational: z.boolean().nullable(),
})

export const environment = z.object({
  /** The machine of the client, which is that of the servers that we start, and of no others. */
  host: z.object({
    os: z.string(),
    cpu: z.string(),
    cores: z.int(),
    memoryMB: z.number(),
    platform: z.string(),
    /** Maker, board and product. Null: the machine does not tell, or not everybody. */
    motherboard: z.string().nullable().default(null),
    /** Without those that are only a part of others, or of memory. Empty where nobody tells. */
    disks: z.array(disk).default([]),
  }),
  node: z.string(),
  driver: z.object({ name: z.string(), version: z.string(), options: z.record(z.string(), z.json()) }),
})

export const result = z.object({
  format: z.literal('mongo-perf-result'),
  version: z.literal(resultVersion),
  tool: z.object({ name: z.literal('mongo-perf'), version: z.string() }),
  spec: z.object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    /** SHA-256 of the effective spec: same hash, same work. */
    hash: z.string(),
    seed: z.int(),
    profile: z.string().nullable(),
    set: z.record(z.string(), z.json()),
    repeat: z.object({ times: z.int(), startUpRuns: z.int() }),
    rows: z.int(),
    /** The parameters that vary from row to row. */
    varied: z.array(z.string()).default([]),
    /** The report part as it stands in the spec, folded; the reader checks it again. */
    report: z.json(),
    thresholds: z.array(z.string()),
    /** The spec with profile, --set and --only applied, expressions still in place. */
    effective: z.json(),
  }),
  environment,
  /** True: rows hold no time lines, histograms and single timings, and no counters of members that no table shows. */
  compact: z.boolean().default(false),
  status: z.enum(['running', 'done', 'aborted', 'failed']),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  variants: z.array(variantResult),
  warnings: z.array(warning),
})

export type Result = z.output<typeof result>
export type VariantResult = z.output<typeof variantResult>
export type PhaseResult = z.output<typeof phaseResult>
export type OperationResult = z.output<typeof operationResult>
export type StepResult = z.output<typeof stepResult>
export type TransactionResult = z.output<typeof transactionResult>
export type StreamResult = z.output<typeof streamResult>
export type MemberResources = z.output<typeof memberResources>
export type ClientHealth = z.output<typeof clientHealth>
export type ThreadHealth = z.output<typeof threadHealth>
export type Latency = z.output<typeof latency>
export type LatencySummary = z.output<typeof latencySummary>
export type Warning = z.output<typeof warning>
export type Steadiness = z.output<typeof steadiness>
export type FaultOccurrence = z.output<typeof faultOccurrence>
export type FaultResult = z.output<typeof faultResult>
export type ElectionWatch = z.output<typeof electionWatch>
export type OpenTimes = z.output<typeof openTimes>
export type OpenLoopResult = z.output<typeof openLoopResult>
export type Availability = z.output<typeof availability>
export type Unacknowledged = z.output<typeof unacknowledged>
export type CheckResult = z.output<typeof checkResult>
export type Peak = z.output<typeof peak>
export type PeakStep = z.output<typeof peakStep>
export type Storage = z.output<typeof storage>
export type DataSetResult = z.output<typeof dataSetResult>
export type ServerLimits = z.output<typeof serverLimits>
export type ServerInfo = z.output<typeof serverInfo>
export type AchievedLinks = z.output<typeof achievedLinks>
export type Environment = z.output<typeof environment>
export type ErrorCount = z.output<typeof errorCount>
export type PerSecond = z.output<typeof perSecond>
