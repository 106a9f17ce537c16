import { z } from 'zod'
import { explain } from './explain.ts'
import { figure } from './figure.ts'
import { latency, nullableSeries, secondHistograms } from './latency.ts'
import { openTimes } from './open-loop.ts'

/** Values of own columns, by their names. */
export const ownValues = z.record(z.string(), z.union([figure, z.string()]).nullable())

/** How own columns look, by their names. */
export const ownColumns = z.record(
  z.string(),
  z.object({
    title: z.string(),
    unit: z.string(),
    /** Number of decimals. */
    digits: z.int(),
    /** Absent: neither higher nor lower values are better. */
    better: z.enum(['higher', 'lower']).optional(),
    /** Absent: its values are numbers. */
    isText: z.boolean().optional(),
    /** Absent: it has no values per second. */
    perSecond: z.literal(true).optional(),
  }),
)

/** The schema of a write concern; its timeout is in milliseconds. */
export const writeConcern = z.object({
  w: z.union([z.int(), z.string()]),
  j: z.boolean().optional(),
  wtimeoutMS: z.int().optional(),
})

export const readConcern = z.object({
  level: z.enum(['local', 'available', 'majority', 'linearizable', 'snapshot']),
})

/** The schema of a read preference; its staleness is in seconds. */
export const readPreference = z.object({
  mode: z.enum(['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest']),
  tags: z.array(z.record(z.string(), z.string())).optional(),
  maxStalenessSeconds: z.int().optional(),
})

/** How a call ended: "unknown" means that the client cannot know whether it was applied. */
export const outcomeKind = z.enum(['ok', 'failed', 'unknown'])

/** How often calls ended with one error. */
export const errorCount = z.object({
  /** Server error code, or the driver's error name if the server returned no code. */
  code: z.string(),
  name: z.string(),
  outcome: outcomeKind,
  /** Error labels, such as "RetryableWriteError". Null in older results. */
  labels: z.array(z.string()).nullable().default(null),
  count: z.int(),
  /** The first message, redacted. */
  message: z.string(),
})

/** One entry per second of the timed window; the last second may be partial. Null: no sample in that second. */
export const perSecond = z.object({
  ok: z.array(z.int()),
  failed: z.array(z.int()),
  unknown: z.array(z.int()),
  documents: z.array(z.int()),
  p50Ms: nullableSeries,
  p99Ms: nullableSeries,
  maxMs: nullableSeries,
  /** Latencies of the successes. Absent in older results and in compact ones. */
  histograms: secondHistograms.optional(),
})

/** Outcomes of the calls of one operation, or of one of its steps. */
const outcomes = {
  name: z.string(),
  kind: z.string(),
  /** True: it finds documents by one value of their data set, drawn for each call. Absent: otherwise, and in older results. */
  keysFromData: z.literal(true).optional(),
  ok: z.int(),
  failed: z.int(),
  unknown: z.int(),
  /**
   * Documents acknowledged (written, changed, deleted) or read, in successful calls and in the successful part of failed ones.
   * Null for calls that return no documents (a count, a command); 0 in older results.
   */
  documents: z.int().nullable(),
  /** BSON bytes of those documents. Null for operations that transfer none (an update, a delete). */
  bytes: z.int().nullable(),
  matched: z.int(),
  modified: z.int(),
  upserted: z.int(),
  inserted: z.int(),
  deleted: z.int(),
  errors: z.array(errorCount),
  /** Errors that the operation expects (`expectErrors`): their calls are among the successful ones. */
  expectedErrors: z.array(errorCount).default([]),
  latency: z.object({ ok: latency.nullable(), failed: latency.nullable(), unknown: latency.nullable() }),
  /** Null for calls without a query plan, such as inserts, and for those whose arguments come from earlier replies. */
  explain: explain.nullable().default(null),
}

/** Counts of the documents that reads expected (`expectDocuments`): those that were returned and those that were not. Null: none expected. */
const expected = { found: z.int().nullable().default(null), missing: z.int().nullable().default(null) }

/** One call of an operation with several steps. Times and counts are those of the calls that were sent. */
export const stepResult = z.object({
  ...outcomes,
  ...expected,
  /** Number of times that its `when` was false. */
  skipped: z.int(),
})

/** Individual latencies of successful calls, kept on request: call number in the phase, from 0, and latency. */
export const samples = z.object({
  numbers: z.array(z.int()),
  ms: z.array(figure),
  /** Latencies beyond the number that is kept. */
  dropped: z.int(),
})

/** Figures of transactions. Counts include all transactions, whatever their outcome. */
export const transactionResult = z.object({
  runner: z.enum(['managed', 'withTransaction']),
  /** Maximum number of attempts per transaction. Null: the runner decides, within the deadline. */
  maxAttempts: z.int().nullable(),
  /** Concerns and read preference sent with every transaction. */
  readConcern,
  writeConcern,
  readPreference,
  /** How often transactions were begun; all but the first attempts of each are retries. */
  attempts: z.int(),
  retries: z.int(),
  /** Attempts that ended with a write conflict: error 112. */
  conflicts: z.int(),
  /** Number of commits that were sent again. Retries by the driver itself are not counted. */
  commitRetries: z.int(),
  commits: z.int(),
  /** Aborted on purpose. They changed nothing, so they count neither as throughput nor as errors. */
  aborted: z.int(),
  aborts: z.record(z.string(), z.int()),
  unknownCommits: z.int(),
  latency: z.object({
    /** Latency of transactions that committed at the first attempt, from its start to the end of its commit. */
    firstTry: latency.nullable(),
    /** Latency of successful commits, from first being sent until the reply. */
    commit: latency.nullable(),
    /** Latency of transactions that were aborted on purpose, from start to end. */
    aborted: latency.nullable(),
  }),
})

/** Outcomes of one operation of a phase. */
export const operationResult = z.object({
  ...outcomes,
  perSecond,
  ...expected,
  /** Empty for operations with a single call. */
  steps: z.array(stepResult).default([]),
  /** Null in a closed loop. */
  openLoop: openTimes.nullable().default(null),
  samples: samples.nullable().default(null),
  /** Null: not a transaction. */
  transaction: transactionResult.nullable().default(null),
  /** Values of own columns, by their names. Absent: there are none. */
  columns: ownValues.optional(),
})

/** A change stream that was open during the phase. */
export const streamResult = z.object({
  name: z.string(),
  kind: z.string(),
  events: z.int(),
  /** Events by their type, such as "insert". */
  byType: z.record(z.string(), z.int()),
  /** From the server's timestamp of the write until the client received the event. Null: the server sends no timestamps. */
  lag: latency.nullable(),
  perSecond: z.object({
    events: z.array(z.int()),
    lagP50Ms: nullableSeries,
    lagP99Ms: nullableSeries,
    lagMaxMs: nullableSeries,
  }),
  errors: z.array(errorCount),
})

/** Outcome of documents that were inserted without an acknowledgement. */
export const unacknowledged = z.object({
  sent: z.int(),
  /** Documents that arrived, by their number before and after. Null: that number is inconclusive. */
  arrived: z.int().nullable(),
  /** From the end of the window until they were counted. */
  waitedMs: figure,
  /** Why the number is inconclusive. */
  reason: z.string().nullable(),
})

/** Outcomes of one operation of a phase: its calls, their latencies and errors. */
export interface OperationResult extends z.output<typeof operationResult> {}
export type StepResult = z.output<typeof stepResult>
export type TransactionResult = z.output<typeof transactionResult>
export type StreamResult = z.output<typeof streamResult>
export type Unacknowledged = z.output<typeof unacknowledged>
export type ErrorCount = z.output<typeof errorCount>
export type PerSecond = z.output<typeof perSecond>
