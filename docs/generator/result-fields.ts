import { type PhaseResult, type Result, type VariantResult } from '../../src/results/schema.ts'
import { type OperationResult } from '../../src/results/schema/calls.ts'

/** A description of every field; the compiler rejects missing and unknown ones. */
type Meanings<Part> = Readonly<Record<keyof Part, string>>

/** The fields of a result. */
export const resultFields: Meanings<Result> = {
  format: '"mongo-perf-result".',
  version: 'Version of the format. Files of other versions are rejected.',
  tool: 'Name and version of the tool that wrote it.',
  spec: 'Name, title, seed, thresholds, the report part, and the effective spec: profile, `--set` and `--only` applied. Equal hashes mean equal work.',
  environment:
    'The machine of the client with its board and disks, Node, the driver and its options. Servers that were started for the run share that machine.',
  pairing:
    'For one side of `mongo-perf ab`: the id that both sides share, what this side alone has, the side that ran first in each round, and whether rounds were added until verdicts were clear. Run *n* of both is round *n*; with `stretches`, which has the round of each, run *n* is the stretch of pair *n*. Null: measured alone.',
  compact:
    'Whether rows are stored in a compact form (`run --compact`): without time lines, individual latencies, and member counters that no table shows, and histograms with two significant digits instead of three.',
  columns: 'Title, unit and decimals of custom columns; absent if there are none.',
  status:
    '"running", "done", "aborted" or "failed". The file is written after every row, so that a killed run leaves "running".',
  startedAt: 'When the run began, ISO 8601.',
  finishedAt: 'When it ended; null while it runs.',
  variants: 'One entry for each variant of the spec in each run.',
  warnings: 'Warnings about the run as a whole.',
}

/** The fields of a variant in one run. */
export const variantFields: Meanings<VariantResult> = {
  row: 'Position of the variant in the spec, from 0.',
  run: 'Number of the run, from 1.',
  startUp: 'Whether it is a start-up run, which is stored and excluded from medians.',
  label: 'Name of the row in tables.',
  status: '"done", "aborted" or "failed".',
  error: 'Why it failed.',
  parameters:
    'Every parameter with its value; its label if it has one; its position in the list of variants if it was taken from one.',
  facts: 'What the spec states about the target and mongo-perf cannot measure.',
  server:
    'Version, topology, storage engine, cache, cores and memory of the server, and the round-trip times of its links; never its address.',
  servers:
    '"fresh": its servers were started for this run. "kept": they had served other runs, and its data was made anew or found unchanged. Absent: they are not ours, or the result is older.',
  data: 'Each data set: number and source of its documents, load and index times, mean size of a document, and for each path of `@sample` how the documents were chosen (all, by the seed, or by the server at random) and a digest of the values: equal digests mean equal values.',
  phases: 'The measured phases in order.',
  checks:
    'Each [check](checks.md): its verdict, the reason, its figures, and the first examples of what is wrong. Verdicts are "held", "violated", "allowed" (lost as the write concern allows) and "not-checked".',
  sharding:
    'For a sharded cluster: whether its balancer worked, and how documents, bytes, chunks and writes were spread over its shards after the last phase.',
  storage:
    'Disk space of each collection and its indexes after the last phase, and whether a checkpoint was taken before; null if unknown.',
  commands: 'Every command that started and configured the servers, to repeat it by hand.',
  warnings: 'Warnings about the row.',
  startedAt: 'When the row began.',
  seconds: 'Duration, including starting and loading.',
}

/** The fields of a measured phase. */
export const phaseFields: Meanings<PhaseResult> = {
  name: 'Name of the phase.',
  workers:
    'Workers of a closed loop; in an open loop the maximum number of operations in flight; in a saturation search the maximum that could be tried.',
  threads: 'Threads of the operating system that ran the workers.',
  load: 'Kind of the load: "closed", "open" or "findPeak".',
  maxRatePerSecond:
    'Calls per second to which the workers of a closed loop were held back; null if they were not held back.',
  pauses: 'Whether workers of a closed loop paused between their calls (`pause` of operations).',
  engine: 'What sent the operations: "driver" (the official driver) or "wire" (connections of mongo-perf).',
  retries: '"none", or "driver" if the driver retried as it does by default.',
  writeConcern: 'Write concern as sent.',
  readConcern: 'Read concern as sent.',
  readPreference: 'Read preference as sent.',
  startedAt: 'When the timed window began.',
  wallSeconds:
    'Length of the timed window: from the first operation sent to the last reply; in an open loop at least the whole plan.',
  endedBecause:
    'The limit that ended the phase, "precision" where throughput was known precisely enough, or "everything failed" or "aborted".',
  digest:
    'Digest of the operations that were sent, in any order: equal digests mean equal sets of operations. For a document that is picked by a distribution that follows inserts, such as "latest", it covers the draw, because the document depends on which inserts have ended.',
  operations: 'Each operation: counts, errors, latency, and figures per second.',
  latency:
    'Latency of all operations together, in a compact result with several operations, whose histograms are less precise; else null.',
  streams: 'Each change stream: events by type, lag from write to event, and figures per second.',
  client:
    'Event loop, CPU, garbage collection and memory of the client; `saturated` if the client was the bottleneck, so that throughput is a lower bound for the server. With several threads the worst event loop, and each thread in `threads`.',
  agents:
    'Each [agent](commands.md) that made load: its shares, how late it began and by how much its clock was ahead (and the error, with the drift until the end of the window; of wall clocks, which show whole milliseconds, 1 ms more), when it ended, CPU and event loop, the speed of its machine, and what limited it. Empty where this process made the load.',
  otherLoad:
    'CPU time of processes other than the client and the measured servers, in percent of all CPU time of a machine: one entry for each machine whose load is known, with what runs there ("client", and agents and members by name).',
  machineSpeed:
    'Speed of the machine of the client before the phase (before its warm-up) and after its window: runs per second of a fixed kernel of integer arithmetic and memory reads, by the fastest of a few runs. A measurement of the last two seconds is used again. Null in older results.',
  members:
    'For each member of the target, the increase of its counters in the window and per second; null if a figure is not available, with the reason.',
  littlesLaw:
    'Mean latency times operations per second, divided by the number of workers: about 1 if they were always busy. Null in an open loop, and where the workers were held back.',
  steadiness:
    'Whether throughput was steady over the window, the number of checkpoints in it, and its longest time with less than a quarter of the usual throughput.',
  unacknowledged:
    'Documents that were inserted without an acknowledgement ("w": 0): how many were sent, how many of them existed afterwards and when they were counted, or why the count is inconclusive; null if writes were acknowledged or nothing was inserted.',
  openLoop:
    'How well an open loop kept its plan: the requested rate; operations that were due, sent, dropped and late; the maximum in flight; and the times since operations were due (`wait` until sent, `response` until the reply), also per second; null in a closed loop.',
  pool: 'Connection pool of the phase: its options, and how long calls waited for a connection (`wait`); null if each worker had its own connection.',
  faults: 'Injected faults: planned and actual times, affected members, and errors.',
  availability:
    'For each occurrence of a fault, until the next one began or the window ended: the time until another primary, the longest gap between successful operations, the time until the first success of an operation sent after it, the seconds without success, and the errors.',
  elections:
    'The primaries over time, and the rollback ids of the members before and after; null without faults or without a replica set.',
  rowGaps: 'Row numbers that were left out, because threads ended at different operations.',
  latestByThread: 'Whether `latest` picked among the inserts of each thread alone.',
  beside:
    'Of one of several loads of a phase: the name of the phase, when the load began (seconds after the window did), and which of the loads was on and off in turn, if one was. Null: the phase has one load.',
  stretches:
    'Stretches of a load beside one that is on and off in turn, in the order in which they ran, with figures of each; those with the same "pair" belong together. Empty: there was none.',
  peak: 'Saturation search: every step with its workers, seconds, operations and latency, and the best number; null without a search.',
  rate: 'Search for the highest rate at which limits hold: the limits, every step with its verdict, its figures and what limited it, the found rate, and the ends of its interval; null without a search.',
  claims: 'What the spec claims about the documents that are read; null without a claim.',
  columns: 'Values of custom columns by name; absent if there are none.',
  columnsPerSecond: 'Their values in each second, of those that have some; absent if none has.',
  warnings: 'Warnings about the phase, each with advice.',
}

/** The fields of an operation. */
export const operationFields: Meanings<OperationResult> = {
  name: 'Name of the operation.',
  kind: 'Its kind.',
  keysFromData: 'True: it finds documents by one value that is drawn from their data set; else absent.',
  ok: 'Acknowledged operations.',
  failed: 'Operations that the server or the driver rejected.',
  unknown: 'Operations that timed out or lost their connection, and may have been applied.',
  documents: 'Documents acknowledged or read.',
  bytes: 'BSON bytes of those documents; null if the operation transfers none.',
  matched: 'Documents that writes matched, or the result of a count.',
  modified: 'Modified documents.',
  upserted: 'Documents that updates inserted because they matched none.',
  inserted: 'Inserted documents.',
  deleted: 'Deleted documents.',
  errors: 'Errors by code, each with its count and the first message.',
  expectedErrors:
    'The same of errors that the operation expects (`expectErrors`): their calls are among those in `ok`.',
  explain:
    'Summary of `explain`, run after the window for a few executions: winning plans, indexes, medians of the keys and documents examined, and the `recall` of an operation with `exact`; null for operations without a query plan, such as inserts, and for steps that need the replies of earlier ones.',
  latency:
    'By outcome: count, mean, minimum, maximum and percentiles in milliseconds, and the HDR histogram (V2, base64, in microseconds; in a compact result with two significant digits, null where no column needs it).',
  perSecond:
    'Operations by outcome, documents, p50, p99 and maximum for each second of the window; null if there is no sample. `histograms` has the latencies of each second as `[first, count, count, …]`: counts in bin `first` and the bins after it, where bin b has latencies from 2^(b/4) to 2^((b+1)/4) µs; `[]` if there is no sample. Absent in older results and in compact ones.',
  found: 'Expected documents that reads returned; null if none were expected.',
  missing: 'Expected documents that reads did not return; null if none were expected.',
  steps: 'The same counts and times for each step, and how often it was skipped.',
  columns: 'Values of custom columns by name; absent if there are none.',
  samples: 'Individual latencies, if the phase keeps them: number of the operation and milliseconds.',
  transaction:
    'For transactions: the runner and the concerns; attempts, retries, conflicts, commits, retried commits, aborts on purpose by reason, commits with an unknown outcome; latency of transactions that committed at the first attempt, of commits and of aborted transactions. Null for other operations. Counts and latency of the operation itself cover committed transactions with retries and waiting; its steps are from the last attempt.',
  openLoop:
    'Open loop only, else null. Times since the operation was due: `wait` until it was sent, `response` until the reply of successful ones; how many were sent more than 2 ms late; response times per second, with `responseHistograms` like the `histograms` above.',
}
