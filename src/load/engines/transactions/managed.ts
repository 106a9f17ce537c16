import { type Clock } from '../../../core/clock.ts'
import { type Outcome } from '../engine.ts'
import { toOutcome } from '../outcomes.ts'
import { isNotCommitted, isTransient, mayCommitAgain } from './errors.ts'
import { abort, type TransactionRun } from './run-transaction.ts'

/** Waits of the driver in `withTransaction`. */
const [minWaitMs, maxWaitMs, growth] = [5, 500, 1.5]

/** Waits before what has failed so often is tried again. */
export type BackOff = (failures: number) => Promise<void>

/** Full jitter: those who have met each other do not meet again. */
export const createBackOff =
  (clock: Clock, random: () => number = Math.random): BackOff =>
  (failures) =>
    clock.sleep(random() * Math.min(minWaitMs * growth ** failures, maxWaitMs))

/** A run of transactions that the engine itself retries. */
export type ManagedRun = TransactionRun & { readonly maxAttempts: number; readonly backOff: BackOff }

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
