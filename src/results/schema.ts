import { z } from 'zod'
import { agentRun } from './schema/agents.ts'
import {
  type OperationResult,
  operationResult,
  ownColumns,
  ownValues,
  readConcern,
  readPreference,
  streamResult,
  unacknowledged,
  writeConcern,
} from './schema/calls.ts'
import { clientHealth, machineSpeed, otherLoad } from './schema/client.ts'
import { environment } from './schema/environment.ts'
import { availability, electionWatch, faultResult } from './schema/faults.ts'
import { figure } from './schema/figure.ts'
import { latencySummary, nullableSeries } from './schema/latency.ts'
import { openLoopResult } from './schema/open-loop.ts'
import { pairing } from './schema/pairing.ts'
import { peak, stretch } from './schema/peak.ts'
import { poolResult } from './schema/pool.ts'
import { rateSearch } from './schema/rate.ts'
import { memberResources, serverInfo, shardingResult, storage } from './schema/servers.ts'
import { steadiness, type Warning, warning } from './schema/warnings.ts'
import { resultVersion } from './version.ts'

/** One measured phase of a row. */
export const phaseResult = z.object({
  name: z.string(),
  /** Workers of a closed loop; in an open loop, the maximum number of calls in flight. */
  workers: z.int(),
  /** Threads of the operating system that ran the workers. */
  threads: z.int().default(1),
  load: z.enum(['closed', 'open', 'findPeak', 'findRate']),
  /** Calls per second to which the workers of a closed loop were held back. Null: they were not. */
  maxRatePerSecond: figure.nullable().default(null),
  /** Whether workers paused between their calls. */
  pauses: z.boolean().default(false),
  /** Sender of the operations: the official driver, or connections of mongo-perf. */
  engine: z.enum(['driver', 'wire']).default('driver'),
  /** Retries by the driver: none, or its defaults. */
  retries: z.enum(['none', 'driver']).default('none'),
  writeConcern,
  readConcern,
  readPreference,
  startedAt: z.iso.datetime(),
  /** Timed window: from the first call sent to the last reply; in an open loop at least the whole plan. */
  wallSeconds: figure,
  endedBecause: z.enum([
    'operations',
    'documents',
    'seconds',
    'precision',
    'limits missed',
    'everything failed',
    'aborted',
  ]),
  /** Order-independent digest of the sent operations: equal digests mean equal sets of operations. */
  digest: z.string(),
  operations: z.array(operationResult),
  /** Latency of the successful calls of several operations together, in compact results, whose histograms have fewer digits. */
  latency: latencySummary.nullable().default(null),
  streams: z.array(streamResult).default([]),
  client: clientHealth,
  /** Agents that made the load. Empty: this process did. */
  agents: z.array(agentRun).default([]),
  /** One entry for each machine whose load is known. */
  otherLoad: z.array(otherLoad).default([]),
  /** Null: a set-up phase, or an older result. */
  machineSpeed: machineSpeed.nullable().default(null),
  members: z.array(memberResources),
  /** In a closed loop mean latency × throughput / workers, which is about 1 if the workers were always waiting for calls. Null in other loads, and where the workers were held back. */
  littlesLaw: figure.nullable(),
  steadiness,
  /** Null: writes were acknowledged, or nothing was inserted. */
  unacknowledged: unacknowledged.nullable().default(null),
  /** Null: a closed loop. */
  openLoop: openLoopResult.nullable().default(null),
  /** Connection pool, with the time from when a call needed a connection until it had one. Null: there was a connection for each worker. */
  pool: poolResult.nullable().default(null),
  faults: z.array(faultResult).default([]),
  /** Null: there were no faults, or the target is not a replica set. */
  elections: electionWatch.nullable().default(null),
  /** One entry for each occurrence of a fault, in the order of their beginnings. */
  availability: z.array(availability).default([]),
  /** Null: the phase had no saturation search. */
  peak: peak.nullable().default(null),
  /** Place of one of several loads of a phase: the phase, when the load began, and which of them was on and off in turn. Null: the phase has one load. */
  beside: z
    .object({ phase: z.string(), fromSeconds: figure, alternating: z.string().nullable() })
    .nullable()
    .default(null),
  /** Stretches of a load beside one that is on and off in turn, in the order in which they ran. */
  stretches: z.array(stretch).default([]),
  /** Null: the phase did not look for a rate under limits. */
  rate: rateSearch.nullable().default(null),
  /** Row numbers that were left out, because threads ended at different operations: later picks of them find nothing. */
  rowGaps: z.int().default(0),
  /** Whether `latest` picked among the inserts of each thread alone. */
  latestByThread: z.boolean().default(false),
  /** Claims of the spec about the documents that it reads, to be compared with the pages that the server read. */
  claims: z.object({ cached: z.boolean() }).nullable().default(null),
  /** Values of own columns, by their names. Absent: there are none. */
  columns: ownValues.optional(),
  /** Their values in each second, of those that have some. Absent: none has. */
  columnsPerSecond: z.record(z.string(), nullableSeries).optional(),
  warnings: z.array(warning),
})

export const parameterValue = z.object({
  value: z.json(),
  label: z.string().optional(),
  /** Position in the list of variants: a choice whose value depends on other parameters has different values. */
  choice: z.int().optional(),
})

/** How one collection of a row was loaded. */
export const dataSetResult = z.object({
  collection: z.string(),
  rows: z.int(),
  /** Origin of the documents: generated, read from a file, kept ("changed": with updates) or copied from an earlier row, or existing. */
  source: z.enum(['generated', 'file', 'kept', 'changed', 'copied', 'existing']).default('generated'),
  /** Time to load them, outside of every timed window. */
  loadSeconds: figure,
  documentsPerSecond: figure.nullable(),
  meanDocumentBytes: figure.nullable(),
  indexes: z.array(z.string()),
  indexSeconds: figure,
  /** Values that calls draw with `@sample`: equal digests mean equal values. A choice by the server differs in every run. */
  samples: z
    .array(
      z.object({ path: z.string(), choice: z.enum(['all', 'seed', 'server']), values: z.int(), digest: z.string() }),
    )
    .default([]),
})

export const checkResult = z.object({
  name: z.string(),
  kind: z.string(),
  /** "allowed": acknowledged data was lost, which the write concern allows. */
  status: z.enum(['held', 'violated', 'allowed', 'not-checked']),
  /** Why it was not checked, or why a loss is allowed; null otherwise. */
  reason: z.string().nullable(),
  /** Its figures by their names in `check-metrics.ts`; empty if it was not checked. */
  measures: z.record(z.string(), figure),
  /** The first examples of what is wrong. */
  evidence: z.array(z.string()),
})

/** One variant of the spec in one run. */
export const variantResult = z.object({
  /** Position of the variant in the spec, from 0. */
  row: z.int(),
  /** Number of the run, from 1. */
  run: z.int(),
  /** A start-up run is stored, and excluded from medians. */
  startUp: z.boolean(),
  label: z.string(),
  status: z.enum(['done', 'aborted', 'failed']),
  error: z.string().optional(),
  parameters: z.record(z.string(), parameterValue),
  facts: z.record(z.string(), z.json()),
  server: serverInfo.nullable(),
  /** Whether its servers were started for it or had served runs before. Absent: they are not ours, or the result is older. */
  servers: z.enum(['fresh', 'kept']).optional(),
  data: z.array(dataSetResult),
  phases: z.array(phaseResult),
  checks: z.array(checkResult).default([]),
  /** Null: no table, chart or threshold uses it, the row was aborted, or the server does not report it. */
  storage: storage.nullable().default(null),
  /** Null: not on a sharded cluster, the row was aborted, or the user may not ask. */
  sharding: shardingResult.nullable().default(null),
  /** Every command that started and configured the servers of this row and made its collections, to repeat it by hand. */
  commands: z.array(z.string()),
  warnings: z.array(warning),
  startedAt: z.iso.datetime(),
  seconds: figure,
})

/** A result file. */
export const result = z.object({
  format: z.literal('mongo-perf-result'),
  version: z.literal(resultVersion),
  tool: z.object({ name: z.literal('mongo-perf'), version: z.string() }),
  spec: z.object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    /** SHA-256 of the effective spec: equal hashes mean equal work. */
    hash: z.string(),
    seed: z.int(),
    profile: z.string().nullable(),
    set: z.record(z.string(), z.json()),
    repeat: z.object({ times: z.int(), startUpRuns: z.int() }),
    rows: z.int(),
    /** The parameters that vary from row to row. */
    varied: z.array(z.string()).default([]),
    /** The report part of the spec, folded; the reader validates it again. */
    report: z.json(),
    thresholds: z.array(z.string()),
    /** The spec with profile, --set and --only applied, and expressions unevaluated. */
    effective: z.json(),
  }),
  environment,
  /** Null: measured alone, not as one side of `mongo-perf ab`. */
  pairing: pairing.nullable().default(null),
  /** True: rows have no time lines and individual latencies, histograms of two digits, and only those member counters that a table shows. */
  compact: z.boolean().default(false),
  /** The columns that were handed in, whose values phases and operations have. Absent: none were. */
  columns: ownColumns.optional(),
  status: z.enum(['running', 'done', 'aborted', 'failed']),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  variants: z.array(variantResult),
  warnings: z.array(warning),
})

/** A result: the spec, where it ran, and what was measured for each variant in each run. */
export interface Result extends Omit<z.output<typeof result>, 'variants' | 'warnings'> {
  variants: VariantResult[]
  warnings: Warning[]
}

/** Measurements for one variant of the spec in one run. */
export interface VariantResult extends Omit<z.output<typeof variantResult>, 'phases' | 'warnings'> {
  phases: PhaseResult[]
  warnings: Warning[]
}

/** Measurements in one phase of a row. */
export interface PhaseResult extends Omit<z.output<typeof phaseResult>, 'operations' | 'warnings'> {
  operations: OperationResult[]
  warnings: Warning[]
}

export type CheckResult = z.output<typeof checkResult>
export type DataSetResult = z.output<typeof dataSetResult>
