import { z } from 'zod'
import { readConcern, readPreference, writeConcern } from './concerns.ts'
import { explain } from './explain.ts'
import { latency, nullableSeries } from './latency.ts'
import { openTimes } from './open-loop.ts'

export const outcomeKind = z.enum(['ok', 'failed', 'unknown'])

export const errorCount = z.object({
  /** Server error code, or the driver's error name where the server gave none. */
  code: z.string(),
  name: z.string(),
  outcome: outcomeKind,
  /** What the server and the driver said may be done about it, such as "RetryableWriteError". Null: in results of before. */
  labels: z.array(z.string()).nullable().default(null),
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
  /** Null: calls that have no plan, such as inserts, or that only replies complete. */
  explain: explain.nullable().default(null),
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
  readConcern,
  writeConcern,
  readPreference,
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

export type OperationResult = z.output<typeof operationResult>
export type StepResult = z.output<typeof stepResult>
export type TransactionResult = z.output<typeof transactionResult>
export type StreamResult = z.output<typeof streamResult>
export type Unacknowledged = z.output<typeof unacknowledged>
export type ErrorCount = z.output<typeof errorCount>
export type PerSecond = z.output<typeof perSecond>
