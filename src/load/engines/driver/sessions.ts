import type { ClientSession, MongoClient } from 'mongodb'
import type { Clock } from '../../../core/clock.ts'
import type { Outcome, TransactionSettings } from '../engine.ts'
import type { NamedArguments } from '../intent.ts'
import { toOutcome } from '../outcomes.ts'
import { isNotCommitted } from '../transactions/errors.ts'
import {
  type CallSession,
  type TransactionRun,
  abort,
  createBackOff,
  runManaged,
} from '../transactions/run-transaction.ts'
import { transactionOptions } from './client-options.ts'
import type { Runner } from './replies.ts'

/**
 * Opens a session of the driver for every call. The driver keeps sessions of the server for the next, so that one costs no
 * round trip.
 * @param runners Those of the steps.
 */
export function sessionOpener({
  client,
  settings,
  runners,
  clock,
}: {
  readonly client: Pick<MongoClient, 'startSession'>
  readonly settings: TransactionSettings
  readonly runners: readonly Runner[]
  readonly clock: Clock
}): () => CallSession {
  const { runner, maxAttempts } = settings
  const options = transactionOptions(settings)
  const backOff = createBackOff(clock)
  return () => {
    // Causal consistency would have the server wait for what this session has not even seen.
    const session = client.startSession({ causalConsistency: false })
    return {
      session: {
        startTransaction: () => session.startTransaction(options),
        commitTransaction: () => session.commitTransaction(),
        abortTransaction: () => session.abortTransaction(),
      },
      makeStep(step, { args }, pending) {
        const run = runners[step]
        if (run === undefined) throw new RangeError('The transaction has no such step')
        return run(inSession(args, session), pending)
      },
      runWhole: (run) =>
        runner === 'managed'
          ? runManaged({ ...run, maxAttempts: maxAttempts ?? Infinity, backOff })
          : runWithTransaction(run, (makeAttempt) => session.withTransaction(makeAttempt, options)),
      end: () => session.endSession(),
    }
  }
}

/** Options may be shared by all calls, so they are not written to. */
const inSession = (args: NamedArguments, session: ClientSession): NamedArguments => ({
  ...args,
  options: { ...args.options, session },
})

/** The method of a driver session, with the session's options. */
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

/** Makes the calls of an attempt; the driver learns of errors as from any other caller. */
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
