import { type Outcome, type Reply, type StepOutcome } from '../engines/engine.ts'
import { noArguments } from '../engines/intent.ts'
import { type PlannedCall } from '../plan/plan.ts'

/** What of a call is measured, without its arguments. */
export type EndedCall = {
  readonly call: PlannedCall
  readonly startMs: number
  readonly endMs: number
  readonly outcome: Outcome
}

/** Ended calls on their way from one thread to another, in the order in which they ended. */
export type CallBatch = {
  /** A row of `columns` numbers for each call. */
  readonly numbers: Float64Array
  /** The outcomes that are more than counts: failures, and calls of several steps. */
  readonly outcomes: readonly Outcome[]
  /** No later batch of this thread holds a call that ended before. */
  readonly untilMs: number
}

/** operation, number, documents, bytes, start, end, place of its outcome in the list (or -1), and the counts of its reply. */
const columns = 14
const mostCalls = 512

/** Gathers calls until they are worth a message. */
export type BatchWriter = {
  readonly add: (call: PlannedCall, startMs: number, endMs: number, outcome: Outcome) => void
  readonly isFull: () => boolean
  /** What has been gathered; gathering begins anew. */
  readonly take: (untilMs: number) => CallBatch
}

export function createBatchWriter(): BatchWriter {
  const numbers = new Float64Array(mostCalls * columns)
  let outcomes: Outcome[] = []
  let used = 0
  return {
    add({ operation, number, documents, bytes }, startMs, endMs, outcome) {
      const { reply } = outcome
      const isPlain = outcome.kind === 'ok' && outcome.steps === undefined
      if (!isPlain) outcomes.push(withoutDocuments(outcome))
      numbers[used] = operation
      numbers[used + 1] = number
      numbers[used + 2] = documents
      numbers[used + 3] = bytes
      numbers[used + 4] = startMs
      numbers[used + 5] = endMs
      numbers[used + 6] = isPlain ? -1 : outcomes.length - 1
      numbers[used + 7] = reply.documents
      numbers[used + 8] = reply.bytes
      numbers[used + 9] = reply.matched
      numbers[used + 10] = reply.modified
      numbers[used + 11] = reply.upserted
      numbers[used + 12] = reply.inserted
      numbers[used + 13] = reply.deleted
      used += columns
    },
    isFull: () => used === numbers.length,
    take(untilMs) {
      const batch = { numbers: numbers.slice(0, used), outcomes, untilMs }
      used = 0
      outcomes = []
      return batch
    },
  }
}

export const sizeOf = ({ numbers }: CallBatch): number => numbers.length / columns
export const endOf = ({ numbers }: CallBatch, index: number): number => numbers[index * columns + 5] ?? Number.NaN

export function callAt({ numbers, outcomes }: CallBatch, index: number): EndedCall {
  const first = index * columns
  const at = (column: number): number => numbers[first + column] ?? Number.NaN
  return {
    call: { operation: at(0), number: at(1), documents: at(2), bytes: at(3), args: noArguments },
    startMs: at(4),
    endMs: at(5),
    outcome: outcomes[at(6)] ?? {
      kind: 'ok',
      reply: {
        documents: at(7),
        bytes: at(8),
        matched: at(9),
        modified: at(10),
        upserted: at(11),
        inserted: at(12),
        deleted: at(13),
        document: null,
      },
    },
  }
}

/** Nobody measures what stood in documents that were sent or came back, and with the latter the memory that they are cut from would be sent. */
function withoutDocuments(outcome: Outcome): Outcome {
  const reply: Reply = { ...outcome.reply, document: null }
  if (outcome.steps === undefined) return { ...outcome, reply }
  return { ...outcome, reply, steps: outcome.steps.map(stepWithoutDocuments) }
}

function stepWithoutDocuments(step: StepOutcome): StepOutcome {
  const { given: _, ...measured } = step
  return { ...measured, outcome: step.outcome && withoutDocuments(step.outcome) }
}
