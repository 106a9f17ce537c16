import { z } from 'zod'
import { agentRun } from './schema/agents.ts'
import {
  operationResult,
  ownColumns,
  ownValues,
  readConcern,
  readPreference,
  streamResult,
  unacknowledged,
  writeConcern,
} from './schema/calls.ts'
import { clientHealth, machineSpeed, otherLoad, poolResult } from './schema/client.ts'
import { environment } from './schema/environment.ts'
import { availability, electionWatch, faultResult } from './schema/faults.ts'
import {
  count,
  figure,
  flag,
  json,
  keyword,
  list,
  nullByDefault,
  orEmpty,
  orNull,
  part,
  record,
  text,
} from './schema/fields.ts'
import { latencySummary, nullableSeries } from './schema/latency.ts'
import { openLoopResult } from './schema/open-loop.ts'
import { pairing } from './schema/pairing.ts'
import { memberResources, serverInfo, shardingResult, storage } from './schema/servers.ts'
import { steadiness, warning } from './schema/warnings.ts'
import { outcome, windowResult } from './schema/windows.ts'
import { resultVersion } from './version.ts'

export const phaseResult = part('Measurements in one phase of a row.', {
  name: text.describe('Name of the phase.'),
  workers: count.describe(
    'Workers of a closed loop; in an open loop the maximum number of operations in flight; in a saturation search the maximum that could be tried.',
  ),
  threads: count.default(1).describe('Threads of the operating system that ran the workers.'),
  load: keyword(['closed', 'open', 'findPeak', 'findRate', 'findCache']).describe('Kind of the load, as in the spec.'),
  maxRatePerSecond: nullByDefault(figure).describe(
    'Operations per second to which the workers of a closed loop were held back; null if they were not held back.',
  ),
  pauses: flag
    .default(false)
    .describe('Whether workers of a closed loop paused between their operations (`pause` of operations).'),
  engine: keyword(['driver', 'wire'])
    .default('driver')
    .describe('What sent the operations: "driver" (the official driver) or "wire" (connections of mongo-perf).'),
  retries: keyword(['none', 'driver'])
    .default('none')
    .describe('"none", or "driver" if the driver retried as it does by default.'),
  writeConcern: writeConcern.describe('Write concern as sent.'),
  readConcern: readConcern.describe('Read concern as sent.'),
  readPreference: readPreference.describe('Read preference as sent.'),
  startedAt: z.iso.datetime().describe('When the timed window began.'),
  wallSeconds: figure.describe(
    'Length of the timed window: from the first operation sent to the last reply; in an open loop at least the whole plan.',
  ),
  endedBecause: keyword([
    'operations',
    'documents',
    'seconds',
    'precision',
    'limits missed',
    'everything failed',
    'aborted',
  ]).describe(
    'The limit that ended the phase, "precision" where throughput was known precisely enough, or "everything failed" or "aborted".',
  ),
  digest: text.describe(
    'Digest of the operations that were sent, in any order: equal digests mean equal sets of operations. For a document that is picked by a distribution that follows inserts, such as "latest", it covers the draw, because the document depends on which inserts have ended.',
  ),
  operations: list(operationResult).describe('Each operation: counts, errors, latency, and figures per second.'),
  latency: nullByDefault(latencySummary).describe(
    'Latency of all operations together, in a compact result with several operations, whose histograms are less precise; else null.',
  ),
  streams: orEmpty(streamResult).describe('Each change stream: events by type, lag behind writes, figures per second.'),
  client: clientHealth.describe(
    'Event loop, CPU, garbage collection and memory of the client; `saturated` if the client was the bottleneck, so that throughput is a lower bound for the server. With several threads the worst event loop, and each thread in `threads`.',
  ),
  agents: orEmpty(agentRun).describe(
    'Each agent that made load: its shares, how late it began and by how much its clock was ahead (and the error, with the drift until the end of the window; of wall clocks, which show whole milliseconds, 1 ms more), when it ended, CPU and event loop, the speed of its machine, and what limited it. Empty where this process made the load.',
  ),
  otherLoad: orEmpty(otherLoad).describe(
    'CPU time of processes other than the client and the measured servers, in percent of all CPU time of a machine: one entry for each machine whose load is known, with what runs there ("client", and agents and members by name).',
  ),
  machineSpeed: nullByDefault(machineSpeed).describe(
    'Speed of the machine of the client before the phase (before its warm-up) and after its window: runs per second of a fixed kernel of integer arithmetic and memory reads, by the fastest of a few runs. A measurement of the last two seconds is used again. Null in older results.',
  ),
  members: list(memberResources).describe(
    'For each member of the target, the increase of its counters in the window and per second; null if a figure is not available, with the reason.',
  ),
  littlesLaw: orNull(figure).describe(
    'Mean latency times operations per second, divided by the number of workers: about 1 if they were always busy. Null in an open loop, and where the workers were held back.',
  ),
  steadiness: steadiness.describe(
    'Whether throughput was steady over the window, the number of checkpoints in it, and its longest time with less than a quarter of the usual throughput.',
  ),
  unacknowledged: nullByDefault(unacknowledged).describe(
    'Documents that were inserted without an acknowledgement ("w": 0): how many were sent, how many of them existed afterwards and when they were counted, or why the count is inconclusive; null if writes were acknowledged or nothing was inserted.',
  ),
  openLoop: nullByDefault(openLoopResult).describe(
    'How well an open loop kept its plan: the requested rate; operations that were due, sent, dropped and late; the maximum in flight; and the times since operations were due (`wait` until sent, `response` until the reply), also per second; null in a closed loop.',
  ),
  pool: nullByDefault(poolResult).describe(
    'Connection pool of the phase: its options, and how long operations waited for a connection (`wait`); null if each worker had its own connection.',
  ),
  faults: orEmpty(faultResult).describe('Injected faults: planned and actual times, affected members, and errors.'),
  elections: nullByDefault(electionWatch).describe(
    'The primaries over time, and the rollback ids of the members before and after; null without faults or without a replica set.',
  ),
  availability: orEmpty(availability).describe(
    'For each occurrence of a fault, until the next one began or the window ended: the time until another primary, the longest gap between successful operations, the time until the first success of an operation sent after it, the seconds without success, and the errors.',
  ),
  parallel: nullByDefault(z.object({ phase: text, fromSeconds: figure, alternating: orNull(text) })).describe(
    'Of one of several loads of a phase: the name of the phase, when the load began (seconds after the window did), and which of the loads was on and off in turn, if one was. Null: the phase has one load.',
  ),
  windows: orEmpty(windowResult).describe(
    'Windows of a phase that has several, in the order in which they ran, with their figures: the steps of a search (`at` is their workers, rate or MB of cache), with verdicts and what limited them; or, where another load is on and off in turn, a window for each time (`at` is the number of the pair). Empty: the phase has one.',
  ),
  outcome: nullByDefault(outcome).describe(
    'Answer of a search: its limits, the best number of workers or the highest rate or smallest cache at which they hold, the nearest tried places on both sides of it, and whether a separate step confirmed it; null without a search.',
  ),
  rowGaps: count.default(0).describe('Row numbers that were left out, because threads ended at different operations.'),
  latestByThread: flag.default(false).describe('Whether `latest` picked among the inserts of each thread alone.'),
  claims: nullByDefault(z.object({ cached: flag })).describe(
    'What the spec claims about the documents that are read; null without a claim.',
  ),
  columns: ownValues.optional().describe('Values of custom columns by name; absent if there are none.'),
  columnsPerSecond: record(text, nullableSeries)
    .optional()
    .describe('Their values in each second; absent if none has any.'),
  warnings: list(warning).describe('Warnings about the phase, each with advice.'),
})

export const parameterValue = z.object({
  value: json,
  label: text.optional(),
  choice: count
    .optional()
    .describe('Position in the list of variants: a choice may depend on other parameters and so have several values.'),
})

export const dataSetResult = part('How one collection of a row was loaded.', {
  collection: text,
  rows: count,
  source: keyword(['generated', 'file', 'kept', 'changed', 'copied', 'existing'])
    .default('generated')
    .describe(
      'Origin of the documents: generated, read from a file, kept ("changed": with updates) or copied from an earlier row, or existing.',
    ),
  loadSeconds: figure.describe('Time to load them, outside of every timed window.'),
  documentsPerSecond: orNull(figure),
  meanDocumentBytes: orNull(figure),
  indexes: list(text),
  indexSeconds: figure,
  samples: orEmpty(
    z.object({ path: text, choice: keyword(['all', 'seed', 'server']), values: count, digest: text }),
  ).describe(
    'Values that operations draw with `@sample`: equal digests mean equal values. A choice by the server differs in every run.',
  ),
})

export const checkResult = z.object({
  name: text,
  kind: text,
  status: keyword(['held', 'violated', 'allowed', 'not-checked']).describe(
    '"allowed": acknowledged data was lost, which the write concern allows.',
  ),
  reason: orNull(text).describe('Why it was not checked, or why a loss is allowed; null otherwise.'),
  measures: record(text, figure).describe('Its figures by name, see `check-metrics.ts`; empty if not checked.'),
  evidence: list(text).describe('The first examples of what is wrong.'),
})

export const variantResult = part('Measurements for one variant of the spec in one run.', {
  row: count.describe('Position of the variant in the spec, from 0.'),
  run: count.describe('Number of the run, from 1.'),
  startUp: flag.describe('Whether it is a start-up run, which is stored and excluded from medians.'),
  label: text.describe('Name of the row in tables.'),
  status: keyword(['done', 'aborted', 'failed']).describe('"done", "aborted" or "failed".'),
  error: text.optional().describe('Why it failed.'),
  parameters: record(text, parameterValue).describe(
    'Every parameter: its value, its label if any, and its position in the list of variants that it comes from, if any.',
  ),
  facts: record(text, json).describe('What the spec states about the target and mongo-perf cannot measure.'),
  server: orNull(serverInfo).describe(
    'Version, topology, storage engine, cache, cores and memory of the server, and the round-trip times of its links; never its address.',
  ),
  servers: keyword(['fresh', 'kept'])
    .optional()
    .describe(
      '"fresh": its servers were started for this run. "kept": they had served other runs, and the data were made again or found unchanged. Absent: mongo-perf did not start them, or the result is older.',
    ),
  data: list(dataSetResult).describe(
    'Each data set: number and source of its documents, load and index times, mean size of a document, and for each path of `@sample` how the documents were chosen (all, by the seed, or by the server at random) and a digest of the values: equal digests mean equal values.',
  ),
  phases: list(phaseResult).describe('The measured phases in order.'),
  checks: orEmpty(checkResult).describe(
    'Each [check](checks.md): its verdict, the reason, its figures, and the first examples of what is wrong. Verdicts are "held", "violated", "allowed" (lost as the write concern allows) and "not-checked".',
  ),
  storage: nullByDefault(storage).describe(
    'Disk space of each collection and its indexes after the last phase, and whether a checkpoint was taken before; null if unknown.',
  ),
  sharding: nullByDefault(shardingResult).describe(
    'For a sharded cluster: whether its balancer worked, and how documents, bytes, chunks and writes were spread over its shards after the last phase.',
  ),
  commands: list(text).describe('Every command that started and configured the servers, to repeat it by hand.'),
  warnings: list(warning).describe('Warnings about the row.'),
  startedAt: z.iso.datetime().describe('When the row began.'),
  seconds: figure.describe('Duration, including starting and loading.'),
})

export const result = part('A result: the spec, where it ran, and what was measured for each variant in each run.', {
  format: z.literal('mongo-perf-result').describe('"mongo-perf-result".'),
  version: z.literal(resultVersion).describe('Version of the format. Files of other versions are rejected.'),
  tool: z
    .object({ name: z.literal('mongo-perf'), version: text })
    .describe('Name and version of the tool that wrote it.'),
  spec: z
    .object({
      name: text,
      title: text,
      description: text,
      hash: text.describe('SHA-256 of the effective spec: equal hashes mean equal work.'),
      seed: count,
      profile: orNull(text),
      set: record(text, json),
      repeat: z.object({ times: count, startUpRuns: count }),
      rows: count,
      varied: orEmpty(text).describe('The parameters that vary from row to row.'),
      report: json.describe('The report part of the spec, folded; the reader validates it again.'),
      thresholds: list(text),
      effective: json.describe('The spec with profile, --set and --only applied, and expressions unevaluated.'),
    })
    .describe(
      'Name, title, seed, thresholds, the report part, and the effective spec: profile, `--set` and `--only` applied. Equal hashes mean equal work.',
    ),
  environment: environment.describe(
    'The machine of the client with its board and disks, Node, the driver and its options. Servers that were started for the run share that machine.',
  ),
  pairing: nullByDefault(pairing).describe(
    'For one side of `mongo-perf ab`: the id that both sides share, what this side alone has, the side that ran first in each round, and whether rounds were added until verdicts were clear. Run *n* of both is round *n*; with `turns`, which has the round of each, run *n* is the turn of pair *n*. Null: measured alone.',
  ),
  compact: flag
    .default(false)
    .describe(
      'Whether rows are stored in a compact form (`run --compact`): without time lines, individual latencies, and member counters that no table shows, and histograms with two significant digits instead of three.',
    ),
  columns: ownColumns.optional().describe('Title, unit and decimals of custom columns; absent if there are none.'),
  status: keyword(['running', 'done', 'aborted', 'failed']).describe(
    '"running", "done", "aborted" or "failed". The file is written after every row, so that a killed run leaves "running".',
  ),
  startedAt: z.iso.datetime().describe('When the run began, ISO 8601.'),
  finishedAt: orNull(z.iso.datetime()).describe('When it ended; null while it runs.'),
  variants: list(variantResult).describe('One entry for each variant of the spec in each run.'),
  warnings: list(warning).describe('Warnings about the run as a whole.'),
})

export type { CheckResult, DataSetResult, PhaseResult, Result, VariantResult } from './result-types.ts'
