import { type ClientSession, type MongoClient } from 'mongodb'
import { type Clock } from '../../../core/clock.ts'
import { type TransactionSettings } from '../engine.ts'
import { type NamedArguments } from '../intent.ts'
import { createBackOff, runManaged } from '../transactions/managed.ts'
import { type CallSession } from '../transactions/run-transaction.ts'
import { transactionOptions } from './concerns.ts'
import { runWithTransaction } from './driver-transaction.ts'
import { type Runner } from './replies.ts'

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
          : runWithTransaction(run, (attempt) => session.withTransaction(attempt, options)),
      end: () => session.endSession(),
    }
  }
}

/** Options may be shared by all calls, so they are not written to. */
const inSession = (args: NamedArguments, session: ClientSession): NamedArguments => ({
  ...args,
  options: { ...args.options, session },
})
