import type { MongoClient } from 'mongodb'
import type { Clock } from '../../../core/clock.ts'
import type { PhasePlan } from '../../plan/plan.ts'
import { resolveConcerns } from '../concerns.ts'
import { type PendingCall, noAnswerWithin } from '../deadlines.ts'
import { type Arguments, type Call, type EngineMethod, type Outcome, perNamespace } from '../engine.ts'
import type { OperationFunctions } from '../operation-functions.ts'
import { isUnanswered, toOutcome, toRetriedOutcome } from '../outcomes.ts'
import { replyTraits } from '../reply-traits.ts'
import { runSteps } from '../run-steps.ts'
import { transactionSender } from '../transactions/run-transaction.ts'
import { type DriverModule, toDbOptions } from './client-options.ts'
import { type Runner, createRunner } from './replies.ts'
import { sessionOpener } from './sessions.ts'

/** Sends one call and never throws. */
export type Sender = (call: Arguments & Pick<Call, 'steps' | 'aborts'>, pending: PendingCall) => Promise<Outcome>

export const noSuchOperation: Sender = async () => toOutcome(new RangeError('The phase has no such operation'))

export type SenderContext = {
  readonly driver: DriverModule
  readonly client: MongoClient
  readonly databaseName: string
  readonly phase: PhasePlan
  readonly clock: Clock
  readonly functions: OperationFunctions
  readonly openClient: () => MongoClient
}

/** One for each operation of the phase. */
export function createSenders(context: SenderContext): readonly Sender[] {
  const { client, phase, clock } = context
  const sendMethod = methodSender(context)
  const runInTransaction = transactionRunner(context)
  return phase.operations.map((operation): Sender => {
    if (!('steps' in operation)) return sendMethod(operation)
    if (operation.transaction)
      return transactionSender(
        sessionOpener({
          client,
          settings: operation.transaction,
          runners: operation.steps.map(runInTransaction),
          clock,
        }),
        clock,
      )
    const sendStep = operation.steps.map(sendMethod)
    return ({ steps = [] }, pending) =>
      runSteps(steps, (step, given, inFlight) => (sendStep[step] ?? noSuchOperation)(given, inFlight), pending, clock)
  })
}

function methodSender(context: SenderContext): (method: EngineMethod) => Sender {
  const { driver, client, databaseName, phase } = context
  return (method) => {
    const isRetriedWrite = phase.retries === 'driver' && replyTraits[method.reply].writes
    const outcomeOf = isRetriedWrite ? toRetriedOutcome : toOutcome
    const options = toDbOptions(driver, method.reply, resolveConcerns(method, phase))
    const runnerOf = perNamespace(method, (one) =>
      createRunner(one, { ...context, database: client.db(one.database ?? databaseName, options) }),
    )
    return async ({ args }, pending) => {
      try {
        return { kind: 'ok', reply: await runnerOf(args)(args, pending) }
      } catch (error) {
        const outcome = outcomeOf(error)
        return isUnanswered(outcome) ? { ...outcome, ...noAnswerWithin(phase.deadlineMs) } : outcome
      }
    }
  }
}

/** Creates runners for transaction steps: transactions bring the concerns, and reads in them go only to the primary. */
const transactionRunner =
  (context: SenderContext) =>
  (method: EngineMethod): Runner => {
    const { driver, client, databaseName } = context
    const { primary } = driver.ReadPreference
    const runnerOf = perNamespace(method, (one) => {
      const database = client.db(one.database ?? databaseName, { readPreference: primary })
      return createRunner(one, { ...context, database })
    })
    return (args, pending) => runnerOf(args)(args, pending)
  }
