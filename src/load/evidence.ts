import { type LedgerPart, LedgerRecord, mergeLedgers, type WriteOutcome } from '../servers/checks/ledger.ts'
import {
  type Change,
  type TallyPart,
  TallyRecord,
  addChanges,
  mergeTallies,
  noChange,
} from '../servers/checks/tally.ts'
import { type Arguments, type EngineMethod, emptyReply, type Outcome, type Reply } from './engines/engine.ts'
import { noArguments } from './engines/intent.ts'
import { mayChangeCount, replyTraits } from './engines/reply-traits.ts'
import { type MethodPlan, type OperationPlan, type PhasePlan, type PlannedCall } from './plan/plan.ts'

/** Request of a check about the calls of a phase. Operations and steps are named by their index. */
export type EvidenceRequest = InsertsRequest | ChangesRequest

/** Asks for the outcome of each document that an operation, or one step of it, has sent. */
type InsertsRequest = {
  readonly kind: 'inserts'
  readonly operation: number
  /** Undefined: the operation is the insert. */
  readonly step: number | undefined
  /** The field that identifies the documents. */
  readonly field: string
}

/** How many documents operations add to a collection and take away from it. */
type ChangesRequest = { readonly kind: 'changes'; readonly collection: string; readonly operations: readonly number[] }

/** The evidence of one unit and pass, for one request. */
export type EvidencePart = LedgerPart | TallyPart

/** Merges the evidence of two units, for the same request. */
export function mergeEvidence(one: EvidencePart, other: EvidencePart): EvidencePart {
  if (one.kind === 'ledger' && other.kind === 'ledger') return mergeLedgers(one, other)
  if (one.kind === 'tally' && other.kind === 'tally') return mergeTallies(one, other)
  throw new TypeError(`Evidence of the kinds ${one.kind} and ${other.kind} cannot be merged`)
}

/** Sees every call of a unit when it has ended, those of a warm-up among them. */
export type EvidenceObserver = {
  readonly observe: (call: PlannedCall, outcome: Outcome) => void
  /** Takes the evidence seen since the last time. */
  readonly take: () => EvidencePart
}

type Observed = Pick<PhasePlan, 'operations'>

export const observeEvidence = (request: EvidenceRequest, phase: Observed): EvidenceObserver =>
  request.kind === 'inserts' ? observeInserts(request, phase) : observeChanges(request, phase)

/** The steps of a transaction are done when all of it is, and undone when it is given up. */
const isAtomic = ({ kind }: OperationPlan): boolean => kind === 'transaction'

const toWriteOutcome = ({ kind }: Outcome): WriteOutcome =>
  kind === 'ok' ? 'acknowledged' : kind === 'unknown' ? 'unknown' : 'failed'

function observeInserts({ operation: index, step, field }: InsertsRequest, { operations }: Observed): EvidenceObserver {
  const ledger = new LedgerRecord()
  const operation = operations[index]
  const isAllOrNothing = operation !== undefined && isAtomic(operation)
  return {
    take: () => ledger.take(),
    observe(call, outcome) {
      if (call.operation !== index) return
      if (step === undefined) return noteDocuments(call, outcome, field, ledger)
      const sent = outcome.steps?.find((one) => one.step === step)
      if (sent?.given === undefined || sent.outcome === undefined) return
      noteDocuments(sent.given, isAllOrNothing ? { ...outcome, reply: emptyReply } : sent.outcome, field, ledger)
    },
  }
}

function noteDocuments({ args }: Arguments, outcome: Outcome, field: string, ledger: LedgerRecord): void {
  const { documents = [args.document], options } = args
  const outcomes = createDocumentOutcomes(outcome, documents.length, options['ordered'] !== false)
  for (const [i, document] of documents.entries()) {
    const id = valueAt(document, field)
    if (id !== undefined) ledger.note(id, outcomes(i))
  }
}

const valueAt = (document: unknown, field: string): unknown =>
  field.split('.').reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], document)

/** A batch that failed in part was done up to there; where it is in no order, which part is not known. */
function createDocumentOutcomes(
  outcome: Outcome,
  documents: number,
  isOrdered: boolean,
): (index: number) => WriteOutcome {
  const { inserted } = outcome.reply
  const whole = toWriteOutcome(outcome)
  if (whole !== 'failed' || inserted === 0 || documents === 1) return () => whole
  return isOrdered ? (index) => (index < inserted ? 'acknowledged' : 'failed') : () => 'unknown'
}

function observeChanges({ collection, operations: meant }: ChangesRequest, { operations }: Observed): EvidenceObserver {
  const tally = new TallyRecord()
  const counters = operations.map((operation, i) =>
    meant.includes(i) ? createChangeCounter(operation, collection) : undefined,
  )
  return {
    take: () => tally.take(),
    observe: (call, outcome) => counters[call.operation]?.(tally, call, outcome),
  }
}

/** Whether calls of an operation may add documents to a collection, or take some away. */
export const changesCollection = (operation: OperationPlan, collection: string): boolean =>
  createChangeCounter(operation, collection) !== undefined

type Counter = (tally: TallyRecord, call: PlannedCall, outcome: Outcome) => void

function createChangeCounter(operation: OperationPlan, collection: string): Counter | undefined {
  const isThere = (method: EngineMethod): boolean =>
    method.collection === collection && method.database === undefined && mayChangeCount(method.reply)
  if (!('steps' in operation)) {
    if (!isThere(operation)) return undefined
    return (tally, call, outcome) => tally.count(toChange(outcome.reply), perhaps(operation, call, outcome))
  }
  if (!operation.steps.some(isThere)) return undefined
  const isAllOrNothing = isAtomic(operation)
  return (tally, _call, outcome) => {
    const sent = (outcome.steps ?? []).flatMap((step) => {
      const method = operation.steps[step.step]
      return method !== undefined && step.outcome !== undefined && isThere(method)
        ? [{ method, given: step.given ?? { args: noArguments, bytes: 0 }, outcome: step.outcome }]
        : []
    })
    if (!isAllOrNothing)
      return sent.forEach((step) =>
        tally.count(toChange(step.outcome.reply), perhaps(step.method, step.given, step.outcome)),
      )
    const change = sent.map((step) => toChange(step.outcome.reply)).reduce(addChanges, noChange)
    if (outcome.kind === 'ok') tally.count(change)
    else if (outcome.kind === 'unknown') tally.count(noChange, computeNetChange(change))
  }
}

const toChange = ({ inserted, upserted, deleted }: Reply): Change => ({ added: inserted + upserted, removed: deleted })

/** Nets out changes that are done as a whole or not at all. */
const computeNetChange = ({ added, removed }: Change): Change => ({
  added: Math.max(0, added - removed),
  removed: Math.max(0, removed - added),
})

/** Returns the maximum that a call of unknown outcome may have done beyond its reply. */
function perhaps({ reply }: MethodPlan, { args }: Arguments, outcome: Outcome): Change {
  if (outcome.kind !== 'unknown') return noChange
  const { mayAdd, mayRemove } = replyTraits[reply]
  const writes = args.documents?.length ?? args.writes?.length ?? 1
  return { added: mayAdd === 'one per write' ? writes - outcome.reply.inserted : mayAdd, removed: mayRemove }
}
