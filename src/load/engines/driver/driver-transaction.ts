import { type Outcome } from '../engine.ts'
import { toOutcome } from '../outcomes.ts'
import { abort, type TransactionRun } from '../transactions/attempt.ts'
import { isNotCommitted } from '../transactions/errors.ts'

/** That of a session of the driver, with its options. */
type WithTransaction = (attempt: () => Promise<void>) => Promise<unknown>

/**
 * The driver's way to repeat a transaction: `withTransaction` decides, and we look on. It reports nothing of a commit that it
 * sends again.
 */
export async function runWithTransaction(run: TransactionRun, withTransaction: WithTransaction): Promise<Outcome> {
  const { account, pending } = run
  let last: Outcome | undefined
  try {
    await withTransaction(async () => {
      // No error of the driver's: it begins again after those.
      if (pending.abandoned) throw new Error('The deadline has passed')
      last = await attempt(run)
    })
    if (last?.kind === 'ok') account.endCommit()
    return last ?? toOutcome(new Error('The driver did not begin the transaction'))
  } catch (error) {
    const kind = account.isCommitSent && !isNotCommitted(error) ? 'unknown' : 'failed'
    return { ...toOutcome(error), kind }
  }
}

/** Makes the calls of an attempt; the driver hears of what went wrong as it does from anybody else's. */
async function attempt(run: TransactionRun): Promise<Outcome> {
  const { account, pending, makeSteps } = run
  account.beginAttempt()
  const { outcome, error } = await makeSteps()
  account.endSteps(outcome)
  if (outcome.kind === 'failed' || outcome.kind === 'unknown') throw error ?? new Error(outcome.message)
  if (outcome.kind === 'aborted') await abort(run)
  else if (pending.abandoned) throw new Error('The deadline has passed')
  else account.sendCommit()
  return outcome
}
