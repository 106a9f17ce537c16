import { type Clock } from '../../../core/clock.ts'
import { type PendingCall } from '../deadlines.ts'
import { type Arguments, type Call, type Outcome, type Reply } from '../engine.ts'
import { toOutcome } from '../outcomes.ts'
import { runSteps } from '../run-steps.ts'
import { TransactionAccount } from './account.ts'

/** A session of the server for the transactions of one call. */
export type CallSession = {
  readonly session: TransactionSession
  /** Makes the call of a step in the transaction that has been begun. Rejects with what went wrong. */
  readonly makeStep: (step: number, given: Arguments, pending: PendingCall) => Promise<Reply>
  /** Repeats the transaction until it is done or given up. Rejects only because of a bug of ours. */
  readonly runWhole: (run: TransactionRun) => Promise<Outcome>
  readonly end: () => Promise<void>
}

/** Makes the calls of an operation one transaction, in a session of its own. */
export const transactionSender =
  (openSession: () => CallSession, clock: Clock) =>
  async (call: Pick<Call, 'steps' | 'aborts'>, pending: PendingCall): Promise<Outcome> => {
    const account = new TransactionAccount(clock)
    pending.whenLate = (late) => account.giveUp(late)
    const opened = openSession()
    const makeSteps = (): Promise<MadeSteps> => stepsIn(opened, call, pending, clock)
    try {
      return account.settle(await opened.runWhole({ session: opened.session, account, pending, makeSteps }))
    } catch (error) {
      return account.settle({ ...toOutcome(error), kind: account.isCommitSent ? 'unknown' : 'failed' })
    } finally {
      await opened.end()
    }
  }

async function stepsIn(
  { makeStep }: CallSession,
  { steps = [], aborts }: Pick<Call, 'steps' | 'aborts'>,
  pending: PendingCall,
  clock: Clock,
): Promise<MadeSteps> {
  let thrown: unknown
  const outcome = await runSteps(
    steps,
    async (step, given) => {
      try {
        return { kind: 'ok', reply: await makeStep(step, given, pending) }
      } catch (error) {
        thrown = error
        return toOutcome(error)
      }
    },
    pending,
    clock,
    aborts,
  )
  return { outcome, error: thrown }
}

/** Begins and ends the transactions of one call. Rejects with errors that have the names, codes and labels of the driver's. */
export type TransactionSession = {
  readonly startTransaction: () => void
  readonly commitTransaction: () => Promise<unknown>
  readonly abortTransaction: () => Promise<unknown>
}

/** How the calls of an attempt went. */
type MadeSteps = {
  readonly outcome: Outcome
  /** Error that the call which ended them was rejected with. */
  readonly error: unknown
}

/** One transaction on its way, whoever repeats it. */
export type TransactionRun = {
  readonly session: TransactionSession
  readonly account: TransactionAccount
  readonly pending: PendingCall
  /** Makes the calls of an attempt, in the transaction that has been begun. Never rejects. */
  readonly makeSteps: () => Promise<MadeSteps>
}

/** A transaction whose abort does not arrive is ended by the server. */
export async function abort({ session }: Pick<TransactionRun, 'session'>): Promise<void> {
  await session.abortTransaction().catch(() => {})
}
