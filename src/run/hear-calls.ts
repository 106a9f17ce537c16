import { type Fate, type Ledger } from '../checks/ledger.ts'
import { type Change, noChange, type Tally } from '../checks/tally.ts'
import { type Arguments, type EngineMethod, emptyReply, type Outcome, type Reply } from '../engines/engine.ts'
import { noArguments } from '../engines/intent.ts'
import { mayChangeCount, replyTraits } from '../engines/reply-traits.ts'
import { type FoundInsert } from '../plan/heard-operations.ts'
import { type MethodPlan, type OperationPlan, type PhasePlan, type PlannedCall } from '../plan/plan.ts'

/** Is told of every call of a phase when it has ended, those of the warm-up among them. */
export type CallListener = (call: PlannedCall, outcome: Outcome) => void

type Heard = Pick<FoundInsert, 'operation' | 'step'> & { readonly phase: Pick<FoundInsert['phase'], 'name'> }

/** The steps of a transaction are done when all of it is, and undone when it is given up. */
const isAtomic = ({ kind }: OperationPlan): boolean => kind === 'transaction'

const stepsOf = (operation: OperationPlan): readonly MethodPlan[] => ('steps' in operation ? operation.steps : [])

const fateOf = ({ kind }: Outcome): Fate => (kind === 'ok' ? 'acknowledged' : kind === 'unknown' ? 'unknown' : 'failed')

/**
 * Writes the documents of an insert into a ledger. Undefined: the phase is another one.
 * @param field The field that tells them apart.
 */
export function hearInsert(
  { phase, operation: name, step: stepName }: Heard,
  field: string,
  ledger: Ledger,
  plan: Pick<PhasePlan, 'name' | 'operations'>,
): CallListener | undefined {
  const index = plan.operations.findIndex((operation) => operation.name === name)
  const operation = plan.operations[index]
  if (phase.name !== plan.name || operation === undefined) return undefined
  const step = stepsOf(operation).findIndex((one) => one.name === stepName)
  const isAllOrNothing = isAtomic(operation)
  return (call, outcome) => {
    if (call.operation !== index) return
    if (stepName === null) return noteDocuments(call, outcome, field, ledger)
    const sent = outcome.steps?.find((one) => one.step === step)
    if (sent?.given === undefined || sent.outcome === undefined) return
    noteDocuments(sent.given, isAllOrNothing ? { ...outcome, reply: emptyReply } : sent.outcome, field, ledger)
  }
}

function noteDocuments({ args }: Arguments, outcome: Outcome, field: string, ledger: Ledger): void {
  const { documents = [args.document], options } = args
  const fates = fatesOf(outcome, documents.length, options['ordered'] !== false)
  for (const [i, document] of documents.entries()) {
    const id = valueAt(document, field)
    if (id !== undefined) ledger.note(id, fates(i))
  }
}

const valueAt = (document: unknown, field: string): unknown =>
  field.split('.').reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], document)

/** A batch that failed in part was done up to there; where it is in no order, which part is not told. */
function fatesOf(outcome: Outcome, documents: number, isOrdered: boolean): (index: number) => Fate {
  const { inserted } = outcome.reply
  const whole = fateOf(outcome)
  if (whole !== 'failed' || inserted === 0 || documents === 1) return () => whole
  return isOrdered ? (index) => (index < inserted ? 'acknowledged' : 'failed') : () => 'unknown'
}

/**
 * Counts what calls of a phase add to a collection and take away from it. Undefined: none of them does.
 * @param isMeant Whether the calls of an operation count.
 */
export function hearChanges(
  collection: string,
  isMeant: (operation: OperationPlan) => boolean,
  tally: Tally,
  { operations }: Pick<PhasePlan, 'operations'>,
): CallListener | undefined {
  const counters = operations.map((operation) => (isMeant(operation) ? counterOf(operation, collection) : undefined))
  if (counters.every((counter) => counter === undefined)) return undefined
  return (call, outcome) => counters[call.operation]?.(tally, call, outcome)
}

type Counter = (tally: Tally, call: PlannedCall, outcome: Outcome) => void

function counterOf(operation: OperationPlan, collection: string): Counter | undefined {
  const isThere = (method: EngineMethod): boolean =>
    method.collection === collection && method.database === undefined && mayChangeCount(method.reply)
  if (!('steps' in operation)) {
    if (!isThere(operation)) return undefined
    return (tally, call, outcome) => tally.add(changeOf(outcome.reply), perhaps(operation, call, outcome))
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
        tally.add(changeOf(step.outcome.reply), perhaps(step.method, step.given, step.outcome)),
      )
    const change = sent.map((step) => changeOf(step.outcome.reply)).reduce(sumOf, noChange)
    if (outcome.kind === 'ok') tally.add(change)
    else if (outcome.kind === 'unknown') tally.add(noChange, netOf(change))
  }
}

const changeOf = ({ inserted, upserted, deleted }: Reply): Change => ({ added: inserted + upserted, removed: deleted })

const sumOf = (one: Change, other: Change): Change => ({
  added: one.added + other.added,
  removed: one.removed + other.removed,
})

/** Of what is done as a whole or not at all. */
const netOf = ({ added, removed }: Change): Change => ({
  added: Math.max(0, added - removed),
  removed: Math.max(0, removed - added),
})

/** What a call of unknown outcome may have done beyond what its reply says, at most. */
function perhaps({ reply }: MethodPlan, { args }: Arguments, outcome: Outcome): Change {
  if (outcome.kind !== 'unknown') return noChange
  const { mayAdd, mayRemove } = replyTraits[reply]
  const writes = args.documents?.length ?? args.writes?.length ?? 1
  return { added: mayAdd === 'one per write' ? writes - outcome.reply.inserted : mayAdd, removed: mayRemove }
}
