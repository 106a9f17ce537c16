import type { Clock } from '../../../core/clock.ts'
import type { PendingCall } from '../deadlines.ts'
import type { Arguments, Call, Outcome, Reply } from '../engine.ts'
import { toOutcome } from '../outcomes.ts'
import { runSteps } from '../run-steps.ts'
import { TransactionAccount } from './account.ts'
import { isNotCommitted, isTransient, mayCommitAgain } from './errors.ts'

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

/** Waits of the driver in `withTransaction`. */
const [minWaitMs, maxWaitMs, growth] = [5, 500, 1.5]

/** Waits before what has failed so often is tried again. */
type BackOff = (failures: number) => Promise<void>

/** Full jitter: those who have met each other do not meet again. */
export const createBackOff =
  (clock: Clock, random: () => number = Math.random): BackOff =>
  (failures) =>
    clock.sleep(random() * Math.min(minWaitMs * growth ** failures, maxWaitMs))

/** A run of transactions that the engine itself retries. */
type ManagedRun = TransactionRun & { readonly maxAttempts: number; readonly backOff: BackOff }

/** How an attempt ended. Only one of which nothing is left may be repeated. */
type AttemptEnd = { readonly outcome: Outcome; readonly mayRepeat: boolean }

/**
 * Our own way to repeat a transaction. Before its commit, everything that leaves nothing behind is reason to begin again, also
 * a lost connection that bears no label. A commit whose outcome is not known is sent again, the same one; if its outcome stays
 * unknown, so is the outcome, and nothing is begun again: it might be done twice. The deadline ends all of it.
 */
export async function runManaged(run: ManagedRun): Promise<Outcome> {
  const { account, pending, maxAttempts, backOff } = run
  for (;;) {
    const { outcome, mayRepeat } = await attempt(run)
    if (!mayRepeat || account.attempts >= maxAttempts) return outcome
    await backOff(account.attempts)
    if (pending.abandoned) return outcome
  }
}

async function attempt(run: ManagedRun): Promise<AttemptEnd> {
  const { session, account, pending, makeSteps } = run
  account.beginAttempt()
  session.startTransaction()
  const { outcome, error } = await makeSteps()
  account.endSteps(outcome)
  if (outcome.kind === 'ok' && !pending.abandoned) return commit(run, outcome)
  await abort(run)
  if (outcome.kind === 'aborted') return { outcome, mayRepeat: false }
  if (outcome.kind === 'ok') return { outcome: toOutcome(new Error('The deadline has passed')), mayRepeat: false }
  return { outcome: { ...outcome, kind: 'failed' }, mayRepeat: !pending.abandoned && isTransient(error) }
}

/** @param done What the calls came to, if only they are committed. */
async function commit({ session, account, pending, backOff }: ManagedRun, done: Outcome): Promise<AttemptEnd> {
  account.sendCommit()
  for (let failures = 1; ; failures++) {
    try {
      await session.commitTransaction()
      account.endCommit()
      return { outcome: done, mayRepeat: false }
    } catch (error) {
      const failure = toOutcome(error)
      if (isNotCommitted(error)) {
        account.loseAttempt(failure)
        return { outcome: { ...failure, kind: 'failed' }, mayRepeat: !pending.abandoned }
      }
      const unknown: AttemptEnd = { outcome: { ...failure, kind: 'unknown' }, mayRepeat: false }
      if (pending.abandoned || !mayCommitAgain(error)) return unknown
      await backOff(failures)
      if (pending.abandoned) return unknown
      account.commitRetries += 1
    }
  }
}
