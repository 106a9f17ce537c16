import { type Aborted, type Outcome, type Reply } from '../engines/engine.ts'
import { replyTraits } from '../engines/reply-traits.ts'
import { type OperationPlan } from '../plan/plan.ts'
import { type StepResult } from '../results/schema/calls.ts'
import { ErrorCounts } from './error-counts.ts'
import { addSample, emptySamples, type LatencySamples, toLatency } from './latency.ts'

/** What the calls of one operation, or of one step of it, came to. */
export class CallRecord {
  readonly #errors = new ErrorCounts()
  /** Built with the first sample of an outcome: most operations never fail, and a histogram is 85 KiB. */
  readonly #latency: { ok?: LatencySamples; failed?: LatencySamples; unknown?: LatencySamples } = {}
  readonly #sums = { documents: 0, bytes: 0, matched: 0, modified: 0, upserted: 0, inserted: 0, deleted: 0 }

  /**
   * @param carriedBytes BSON bytes of the documents that the call carried.
   * @param carriedDocuments Number of those documents.
   */
  add(us: number, outcome: Exclude<Outcome, Aborted>, carriedBytes: number, carriedDocuments: number): void {
    const { kind, reply } = outcome
    addSample((this.#latency[kind] ??= emptySamples()), us)
    this.#sums.documents += reply.documents
    this.#sums.bytes += reply.bytes + acknowledged(carriedBytes, carriedDocuments, outcome)
    this.#sums.matched += reply.matched
    this.#sums.modified += reply.modified
    this.#sums.upserted += reply.upserted
    this.#sums.inserted += reply.inserted
    this.#sums.deleted += reply.deleted
    if (outcome.kind !== 'ok') this.#errors.add(outcome)
  }

  result(plan: OperationPlan): Omit<StepResult, 'skipped'> {
    const { ok, failed, unknown } = this.#latency
    return {
      name: plan.name,
      kind: plan.kind,
      ok: ok?.count ?? 0,
      failed: failed?.count ?? 0,
      unknown: unknown?.count ?? 0,
      ...this.#sums,
      documents: countsDocuments(plan) ? this.#sums.documents : null,
      bytes: movesDocuments(plan) ? this.#sums.bytes : null,
      errors: this.#errors.list(),
      latency: {
        ok: ok ? toLatency(ok) : null,
        failed: failed ? toLatency(failed) : null,
        unknown: unknown ? toLatency(unknown) : null,
      },
      explain: null,
    }
  }
}

const movesDocuments = (plan: OperationPlan): boolean =>
  'steps' in plan ? plan.steps.some(movesDocuments) : plan.carriesDocuments || replyTraits[plan.reply].readsDocuments

const countsDocuments = (plan: OperationPlan): boolean =>
  'steps' in plan ? plan.steps.some(countsDocuments) : replyTraits[plan.reply].countsDocuments

const written = ({ inserted, modified, upserted }: Reply): number => inserted + modified + upserted

/**
 * Of the bytes that a call carries, those of the documents that were acknowledged. Where a part of a call failed, which
 * documents went through is not kept: they count with the call's mean size.
 */
function acknowledged(bytes: number, documents: number, { kind, reply }: Outcome): number {
  if (bytes === 0 || kind === 'ok') return bytes
  return documents === 0 ? 0 : Math.round((bytes * written(reply)) / documents)
}
