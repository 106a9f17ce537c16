import { type StepResult } from '../../results/schema/calls.ts'
import { type Aborted, type Outcome, type Reply } from '../engines/engine.ts'
import { replyTraits } from '../engines/reply-traits.ts'
import { type OperationPlan } from '../plan/plan.ts'
import { type ErrorPart, ErrorRecord, listErrors, mergeErrors } from './error-counts.ts'
import { type LatencyPart, LatencyRecord, mergeLatencies, toLatencies } from './latency.ts'

const outcomes = ['ok', 'failed', 'unknown'] as const
const counted = ['documents', 'bytes', 'matched', 'modified', 'upserted', 'inserted', 'deleted'] as const

type Sums = Readonly<Record<(typeof counted)[number], number>>

/** Totals for the calls of one operation, or of one step of it. */
export type CallsPart = {
  readonly latency: Readonly<Record<(typeof outcomes)[number], LatencyPart | undefined>>
  readonly sums: Sums
  readonly errors: readonly ErrorPart[]
  /** Errors of calls that are done all the same. */
  readonly expectedErrors: readonly ErrorPart[]
}

const noSums = { documents: 0, bytes: 0, matched: 0, modified: 0, upserted: 0, inserted: 0, deleted: 0 }

export const noCalls: CallsPart = {
  latency: { ok: undefined, failed: undefined, unknown: undefined },
  sums: noSums,
  errors: [],
  expectedErrors: [],
}

export const mergeCalls = (parts: readonly CallsPart[]): CallsPart => ({
  latency: {
    ok: mergeLatencies(parts.map(({ latency }) => latency.ok)),
    failed: mergeLatencies(parts.map(({ latency }) => latency.failed)),
    unknown: mergeLatencies(parts.map(({ latency }) => latency.unknown)),
  },
  sums: parts.map(({ sums }) => sums).reduce(addSums, noSums),
  errors: mergeErrors(parts.map(({ errors }) => errors)),
  expectedErrors: mergeErrors(parts.map(({ expectedErrors }) => expectedErrors)),
})

const addSums = (one: Sums, other: Sums): Sums => ({
  documents: one.documents + other.documents,
  bytes: one.bytes + other.bytes,
  matched: one.matched + other.matched,
  modified: one.modified + other.modified,
  upserted: one.upserted + other.upserted,
  inserted: one.inserted + other.inserted,
  deleted: one.deleted + other.deleted,
})

/** Records calls until they are taken. */
export class CallRecord {
  readonly #errors = new ErrorRecord()
  readonly #expectedErrors = new ErrorRecord()
  readonly #latency = { ok: new LatencyRecord(), failed: new LatencyRecord(), unknown: new LatencyRecord() }
  #sums = { ...noSums }

  /**
   * @param carriedBytes BSON bytes of the documents that the call carried.
   * @param carriedDocuments Number of those documents.
   */
  add(
    us: number,
    outcome: Exclude<Outcome, Aborted>,
    carriedBytes: number,
    carriedDocuments: number,
    nowMs: number,
  ): void {
    const { kind, reply } = outcome
    this.#latency[kind].add(us)
    const sums = this.#sums
    sums.documents += reply.documents
    sums.bytes += reply.bytes + acknowledged(carriedBytes, carriedDocuments, outcome)
    sums.matched += reply.matched
    sums.modified += reply.modified
    sums.upserted += reply.upserted
    sums.inserted += reply.inserted
    sums.deleted += reply.deleted
    if (outcome.kind !== 'ok') this.#errors.add(outcome, nowMs)
    else if (outcome.expected !== undefined) this.#expectedErrors.add(outcome.expected, nowMs)
  }

  /** Takes the calls recorded since the last time. Undefined: nothing. */
  take(): CallsPart | undefined {
    const { ok, failed, unknown } = this.#latency
    if (ok.isEmpty && failed.isEmpty && unknown.isEmpty) return undefined
    const sums = this.#sums
    this.#sums = { ...noSums }
    return {
      latency: { ok: ok.take(), failed: failed.take(), unknown: unknown.take() },
      sums,
      errors: this.#errors.take(),
      expectedErrors: this.#expectedErrors.take(),
    }
  }
}

/** The result of the calls of an operation or step. */
export const callsResult = (
  plan: OperationPlan,
  { latency, sums, errors, expectedErrors }: CallsPart,
): Omit<StepResult, 'skipped' | 'found' | 'missing'> => ({
  name: plan.name,
  kind: plan.kind,
  ...('keysFromData' in plan && { keysFromData: true as const }),
  ok: latency.ok?.count ?? 0,
  failed: latency.failed?.count ?? 0,
  unknown: latency.unknown?.count ?? 0,
  ...sums,
  documents: countsDocuments(plan) ? sums.documents : null,
  bytes: movesDocuments(plan) ? sums.bytes : null,
  errors: listErrors(errors),
  expectedErrors: listErrors(expectedErrors),
  latency: toLatencies(latency, outcomes),
  explain: null,
})

const movesDocuments = (plan: OperationPlan): boolean =>
  'steps' in plan ? plan.steps.some(movesDocuments) : plan.carriesDocuments || replyTraits[plan.reply].readsDocuments

const countsDocuments = (plan: OperationPlan): boolean =>
  'steps' in plan ? plan.steps.some(countsDocuments) : replyTraits[plan.reply].countsDocuments

const written = ({ inserted, modified, upserted }: Reply): number => inserted + modified + upserted

/**
 * Counts the bytes of acknowledged documents among those that a call carries. Where a part of a call failed, which
 * documents went through is not kept: they count with the call's mean size.
 */
function acknowledged(bytes: number, documents: number, outcome: Outcome): number {
  const { reply } = outcome
  if (bytes === 0 || (outcome.kind === 'ok' && outcome.expected === undefined)) return bytes
  return documents === 0 ? 0 : Math.round((bytes * written(reply)) / documents)
}
