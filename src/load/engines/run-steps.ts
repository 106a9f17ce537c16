import { type Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { type PendingCall } from './deadlines.ts'
import {
  type AbortTest,
  type Arguments,
  emptyReply,
  type Failure,
  type Outcome,
  type Reply,
  type StepCall,
  type StepOutcome,
} from './engine.ts'
import { toOutcome } from './outcomes.ts'

export type SendStep = (step: number, given: Arguments, pending: PendingCall) => Promise<Outcome>

type SentStep = { readonly step: number; readonly given: Arguments; readonly startMs: number }

/**
 * Makes the calls of an operation of several, each when the one before it has been answered, and times them apart. It ends
 * at the first that is not ok, and its outcome is then that step's, or at the first whose replies are a reason to abort.
 * One that is abandoned has done the steps before the one that was not answered; a transaction knows better, and returns it.
 */
export async function runSteps(
  steps: readonly StepCall[],
  send: SendStep,
  pending: PendingCall,
  clock: Clock,
  aborts: readonly (AbortTest | undefined)[] = [],
): Promise<Outcome> {
  const replies: Reply[] = []
  const outcomes: StepOutcome[] = []
  let sum = emptyReply
  let sent: SentStep | undefined
  const endedWith = (outcome: Outcome, { step, given, startMs }: SentStep): StepOutcome => ({
    step,
    ms: clock.now() - startMs,
    bytes: given.bytes,
    given,
    outcome,
  })
  pending.whenLate ??= (late) => ({
    ...late,
    reply: sum,
    steps: sent ? [...outcomes, endedWith(late, sent)] : outcomes,
  })
  const attempt = <Made>(make: () => Made): { readonly made: Made } | Failure => {
    try {
      return { made: make() }
    } catch (error) {
      // What replies have is known only now.
      if (error instanceof Problem) return { ...toOutcome(error), reply: sum }
      throw error
    }
  }
  for (const [step, prepare] of steps.entries()) {
    const prepared = attempt(() => prepare(replies))
    if ('kind' in prepared) return { ...prepared, steps: outcomes }
    const given = prepared.made
    replies.push(emptyReply)
    if (given === undefined) {
      outcomes.push({ step, ms: 0, bytes: 0, outcome: undefined })
      continue
    }
    sent = { step, given, startMs: clock.now() }
    const outcome = await send(step, given, pending)
    outcomes.push(endedWith(outcome, sent))
    sum = add(sum, outcome.reply, outcome.kind === 'ok' ? given.bytes : 0)
    if (outcome.kind !== 'ok') return { ...outcome, reply: sum, steps: outcomes }
    replies[step] = outcome.reply
    const tested = attempt(() => aborts[step]?.(replies))
    if ('kind' in tested) return { ...tested, steps: outcomes }
    if (tested.made !== undefined) return { kind: 'aborted', reason: tested.made, reply: sum, steps: outcomes }
    // Nothing waits for the rest of it any more.
    if (pending.abandoned) break
  }
  return { kind: 'ok', reply: sum, steps: outcomes }
}

function add(sum: Reply, reply: Reply, carriedBytes: number): Reply {
  return {
    documents: sum.documents + reply.documents,
    bytes: sum.bytes + reply.bytes + carriedBytes,
    matched: sum.matched + reply.matched,
    modified: sum.modified + reply.modified,
    upserted: sum.upserted + reply.upserted,
    inserted: sum.inserted + reply.inserted,
    deleted: sum.deleted + reply.deleted,
    document: reply.document ?? sum.document,
  }
}
