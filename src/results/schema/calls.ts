import { z } from 'zod'
import { explain } from './explain.ts'
import { count, figure, flag, keyword, list, nullByDefault, orEmpty, orNull, part, record, text } from './fields.ts'
import { latency, nullableSeries, secondHistograms } from './latency.ts'
import { openTimes } from './open-loop.ts'

/** Values of own columns, by their names. */
export const ownValues = record(text, orNull(z.union([figure, text])))

export const ownColumn = part('How an own column looks.', {
  title: text,
  unit: text,
  digits: count.describe('Number of decimals.'),
  better: keyword(['higher', 'lower']).optional().describe('Absent: neither higher nor lower values are better.'),
  isText: flag.optional().describe('Absent: its values are numbers.'),
  perSecond: z.literal(true).optional().describe('Absent: it has no values per second.'),
})

/** How own columns look, by their names. */
export const ownColumns = record(text, ownColumn)

export const writeConcern = part('A write concern; its timeout is in milliseconds.', {
  w: z.union([count, text]),
  j: flag.optional(),
  wtimeoutMS: count.optional(),
})

export const readConcern = z.object({ level: keyword(['local', 'available', 'majority', 'linearizable', 'snapshot']) })

export const readPreference = part('A read preference; its staleness is in seconds.', {
  mode: keyword(['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest']),
  tags: list(record(text, text)).optional(),
  maxStalenessSeconds: count.optional(),
})

export const outcomeKind = keyword(['ok', 'failed', 'unknown']).describe(
  'How a call ended: "unknown" means that the client cannot know whether it was applied.',
)

export const errorCount = part('How often calls ended with one error.', {
  code: text.describe("Server error code, or the driver's error name if the server returned no code."),
  name: text,
  outcome: outcomeKind,
  labels: nullByDefault(list(text)).describe('Error labels, such as "RetryableWriteError". Null in older results.'),
  count,
  message: text.describe('The first message, redacted.'),
})

export const perSecond = part(
  'One entry per second of the timed window; the last second may be partial. Null: no sample in that second.',
  {
    ok: list(count),
    failed: list(count),
    unknown: list(count),
    documents: list(count),
    p50Ms: nullableSeries,
    p99Ms: nullableSeries,
    maxMs: nullableSeries,
    histograms: secondHistograms
      .optional()
      .describe('Latencies of the successes. Absent in older results and in compact ones.'),
  },
)

/** Outcomes of the calls of one operation, or of one of its steps. */
const outcomes = {
  name: text.describe('Name of the operation.'),
  kind: text.describe('Its kind.'),
  keysFromData: z
    .literal(true)
    .optional()
    .describe('True: it finds documents by one value that is drawn from their data set; else absent.'),
  ok: count.describe('Acknowledged operations.'),
  failed: count.describe('Operations that the server or the driver rejected.'),
  unknown: count.describe('Operations that timed out or lost their connection, and may have been applied.'),
  documents: orNull(count).describe('Documents acknowledged or read.'),
  bytes: orNull(count).describe('BSON bytes of those documents; null if the operation transfers none.'),
  matched: count.describe('Documents that writes matched, or the result of a count.'),
  modified: count.describe('Modified documents.'),
  upserted: count.describe('Documents that updates inserted because they matched none.'),
  inserted: count.describe('Inserted documents.'),
  deleted: count.describe('Deleted documents.'),
  errors: list(errorCount).describe('Errors by code, each with its count and the first message.'),
  expectedErrors: orEmpty(errorCount).describe(
    'The same of errors that the operation expects (`expectErrors`): their calls are among those in `ok`.',
  ),
  latency: z
    .object({ ok: orNull(latency), failed: orNull(latency), unknown: orNull(latency) })
    .describe(
      'By outcome: count, mean, minimum, maximum and percentiles in milliseconds, and the HDR histogram (V2, base64, in microseconds; in a compact result with two significant digits, null where no column needs it).',
    ),
  explain: nullByDefault(explain).describe(
    'Summary of `explain`, run after the window for a few executions: winning plans, indexes, medians of the keys and documents examined, and the `recall` of an operation with `exact`; null for operations without a query plan, such as inserts, and for steps that need the replies of earlier ones.',
  ),
}

/** Counts of the documents that reads expected (`expectDocuments`): those that were returned and those that were not. Null: none expected. */
const expected = {
  found: nullByDefault(count).describe('Expected documents that reads returned; null if none were expected.'),
  missing: nullByDefault(count).describe('Expected documents that reads did not return; null if none were expected.'),
}

export const stepResult = part(
  'One call of an operation with several steps. Times and counts include only the calls that were sent.',
  {
    ...outcomes,
    ...expected,
    skipped: count.describe('Number of times that its `when` was false.'),
  },
)

export const samples = part(
  'Individual latencies of successful calls, kept on request: call number in the phase, from 0, and latency.',
  {
    numbers: list(count),
    ms: list(figure),
    dropped: count.describe('Latencies beyond the number that is kept.'),
  },
)

export const transactionResult = part(
  'Figures of transactions. Counts include all transactions, whatever their outcome.',
  {
    runner: keyword(['managed', 'withTransaction']),
    maxAttempts: orNull(count).describe(
      'Maximum number of attempts per transaction. Null: the runner decides, within the deadline.',
    ),
    readConcern,
    writeConcern,
    readPreference,
    attempts: count.describe('How often transactions were begun; all but the first attempts of each are retries.'),
    retries: count,
    conflicts: count.describe('Attempts that ended with a write conflict: error 112.'),
    commitRetries: count.describe('Number of commits that were sent again, without retries by the driver.'),
    commits: count,
    aborted: count.describe('Aborted on purpose: they count neither as throughput nor as errors.'),
    aborts: record(text, count),
    unknownCommits: count,
    latency: z.object({
      firstTry: orNull(latency).describe(
        'Latency of transactions that committed at the first attempt, from its start to the end of its commit.',
      ),
      commit: orNull(latency).describe('Latency of successful commits, from first being sent until the reply.'),
      aborted: orNull(latency).describe('Latency of transactions that were aborted on purpose, from start to end.'),
    }),
  },
)

export const operationResult = part('Outcomes of one operation of a phase: its calls, their latencies and errors.', {
  ...outcomes,
  perSecond: perSecond.describe(
    'Operations by outcome, documents, p50, p99 and maximum for each second of the window; null if there is no sample. `histograms` has the latencies of each second as `[first, count, count, …]`: counts in bin `first` and the bins after it, where bin b has latencies from 2^(b/4) to 2^((b+1)/4) µs; `[]` if there is no sample. Absent in older results and in compact ones.',
  ),
  ...expected,
  steps: orEmpty(stepResult).describe('The same counts and times for each step, and how often it was skipped.'),
  openLoop: nullByDefault(openTimes).describe(
    'Open loop only, else null. Times since the operation was due: `wait` until it was sent, `response` until the reply of successful ones; how many were sent more than 2 ms late; response times per second, with `responseHistograms` like the `histograms` above.',
  ),
  samples: nullByDefault(samples).describe(
    'Individual latencies, if the phase keeps them: number of the operation and milliseconds.',
  ),
  transaction: nullByDefault(transactionResult).describe(
    'For transactions: the runner and the concerns; attempts, retries, conflicts, commits, retried commits, aborts on purpose by reason, commits with an unknown outcome; latency of transactions that committed at the first attempt, of commits and of aborted transactions. Null for other operations. Counts and latency of the operation itself cover committed transactions with retries and waiting; its steps are from the last attempt.',
  ),
  columns: ownValues.optional().describe('Values of custom columns by name; absent if there are none.'),
})

export const streamResult = part('A change stream that was open during the phase.', {
  name: text,
  kind: text,
  events: count,
  byType: record(text, count).describe('Events by their type, such as "insert".'),
  lag: orNull(latency).describe(
    "From the server's timestamp of the write until the client received the event. Null: the server sends no timestamps.",
  ),
  perSecond: z.object({
    events: list(count),
    lagP50Ms: nullableSeries,
    lagP99Ms: nullableSeries,
    lagMaxMs: nullableSeries,
  }),
  errors: list(errorCount),
})

export const unacknowledged = part('Outcome of documents that were inserted without an acknowledgement.', {
  sent: count,
  arrived: orNull(count).describe('Documents that arrived, by their number before and after. Null: inconclusive.'),
  waitedMs: figure.describe('From the end of the window until they were counted.'),
  reason: orNull(text).describe('Why the number is inconclusive.'),
})

export type {
  ErrorCount,
  OperationResult,
  PerSecond,
  StepResult,
  StreamResult,
  TransactionResult,
  Unacknowledged,
} from '../result-types.ts'
