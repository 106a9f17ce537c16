import * as mongodb from 'mongodb'
import type { Clock } from '../../../core/clock.ts'
import type { PhasePlan } from '../../plan/plan.ts'
import { resolveConcerns } from '../concerns.ts'
import type { Deadlines } from '../deadlines.ts'
import { toReadPreference } from '../driver/client-options.ts'
import {
  type Call,
  type EngineMethod,
  type EngineSteps,
  type Outcome,
  type PhaseEngine,
  perNamespace,
} from '../engine.ts'
import { toOutcome } from '../outcomes.ts'
import { createCountCheck } from '../possible-counts.ts'
import { replyTraits } from '../reply-traits.ts'
import { type SendStep, runSteps } from '../run-steps.ts'
import { transactionSender } from '../transactions/run-transaction.ts'
import { wireMethods } from './commands/index.ts'
import type { Exchange } from './method.ts'
import type { Pool } from './pool.ts'
import { createSessions } from './sessions.ts'

/** Sends one call and never throws. */
export type Sender = PhaseEngine['send']

/** The sender for an unknown operation: every call fails. */
export const noSuchOperation: Sender = (_call, done) =>
  done(toOutcome(new RangeError('The phase has no such operation')))

export type SenderContext = {
  readonly phase: PhasePlan
  readonly database: string
  readonly clock: Clock
  readonly deadlines: Deadlines
  readonly poolOf: (method: EngineMethod) => Pool
  readonly connect: () => Promise<Outcome>
  /** To the primary. */
  readonly forWrites: Pool
  /** Whether the URI names one member, whatever it is: it replies to reads only where it is asked to. */
  readonly isDirect: boolean
}

/** One sender for each operation of the phase, and the sessions that they have opened on the server so far. */
export type Senders = { readonly senders: readonly Sender[]; readonly sessionIds: () => readonly object[] }

export function createSenders(context: SenderContext): Senders {
  const { phase, clock, deadlines, forWrites } = context
  const ids: (() => readonly object[])[] = []

  function transactionOf(operation: EngineSteps, settings: NonNullable<EngineSteps['transaction']>): Sender {
    const inTransaction = { ...context, inTransaction: true }
    const steps = operation.steps.map((method) =>
      perNamespace(method, (one) => createExchangeFactory(one, inTransaction)),
    )
    const { open, ids: idsOf } = createSessions({ pool: forWrites, settings, steps, clock })
    ids.push(idsOf)
    const send = transactionSender(open, clock)
    return (call, done) => deadlines.bound((pending) => send(call, pending), done)
  }

  function senderOf(operation: PhasePlan['operations'][number]): Sender {
    if (!('steps' in operation)) return methodSender(operation, context)
    if (operation.transaction) return transactionOf(operation, operation.transaction)
    const sendStep = stepSender(operation, context)
    return ({ steps = [] }, done) => deadlines.bound((pending) => runSteps(steps, sendStep, pending, clock), done)
  }

  return { senders: phase.operations.map(senderOf), sessionIds: () => ids.flatMap((idsOf) => idsOf()) }
}

function methodSender(method: EngineMethod, context: SenderContext): Sender {
  const { connect, deadlines } = context
  if (method.kind === 'connect') return (_call, done) => deadlines.bound(connect, done)
  const pool = context.poolOf(method)
  const exchangesOf = perNamespace(method, (one) => createExchangeFactory(one, context))
  return ({ args }, done) => pool.send(exchangesOf(args), args, undefined, done)
}

function stepSender({ steps }: EngineSteps, context: SenderContext): SendStep {
  const senders = steps.map((method) => methodSender(method, context))
  return (step, given) =>
    new Promise<Outcome>((resolve) =>
      (senders[step] ?? noSuchOperation)({ operation: step, ...given } as Call, resolve),
    )
}

function createExchangeFactory(
  method: EngineMethod,
  { phase, database, isDirect, inTransaction = false }: SenderContext & { readonly inTransaction?: boolean },
): () => Exchange {
  const create = wireMethods[method.kind]
  // The spec is checked before.
  if (create === undefined) throw new Error(`The engine "wire" has no ${method.kind}`)
  const concerns = inTransaction ? undefined : resolveConcerns(method, phase)
  const readPreference = concerns && replyTraits[method.reply].reads ? toReadPreference(mongodb, concerns) : undefined
  const isPrimary = readPreference === undefined || readPreference.mode === 'primary'
  const exchanges = create({
    method,
    database: method.database ?? database,
    concerns,
    readPreference: !isPrimary ? readPreference : isDirect ? mongodb.ReadPreference.primaryPreferred : undefined,
  })
  const check = createCountCheck(method.kind, concerns?.writeConcern.w)
  return check === undefined ? exchanges : () => ({ ...exchanges(), check })
}
