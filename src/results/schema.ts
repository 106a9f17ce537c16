import { z } from 'zod'
import { operationResult, streamResult, unacknowledged } from './schema/calls.ts'
import { clientHealth, otherLoad } from './schema/client.ts'
import { readConcern, readPreference, writeConcern } from './schema/concerns.ts'
import { steadiness, warning } from './schema/warnings.ts'
import { environment } from './schema/environment.ts'
import { availability, electionWatch, faultResult } from './schema/faults.ts'
import { latencySummary } from './schema/latency.ts'
import { openLoopResult } from './schema/open-loop.ts'
import { peak } from './schema/peak.ts'
import { memberResources, serverInfo, storage } from './schema/servers.ts'

/** Raised when an older reader would misunderstand a newer file. Older files are brought up to date in `upgrade.ts`. */
export const resultVersion = 1

export const phaseResult = z.object({
  name: z.string(),
  /** Callers of a closed loop; of an open one the calls that may be in flight. */
  workers: z.int(),
  /** Threads of the operating system that the workers were spread over. */
  threads: z.int().default(1),
  load: z.enum(['closed', 'open', 'findPeak']),
  /** What the driver repeated by itself: nothing, or what it does by default. */
  retries: z.enum(['none', 'driver']).default('none'),
  writeConcern,
  readConcern,
  readPreference,
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
  /** One entry for each machine of which it is known. */
  otherLoad: z.array(otherLoad).default([]),
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
  /** What calls draw with `@sample`: equal digests, equal values. A choice by the server is another one in each run. */
  samples: z
    .array(
      z.object({ path: z.string(), choice: z.enum(['all', 'seed', 'server']), values: z.int(), digest: z.string() }),
    )
    .default([]),
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
export type CheckResult = z.output<typeof checkResult>
export type DataSetResult = z.output<typeof dataSetResult>
