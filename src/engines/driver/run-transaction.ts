import { type ClientSession, type MongoClient } from 'mongodb'
import { type Clock } from '../../clock.ts'
import { type Call, type Outcome, type TransactionSettings } from '../engine.ts'
import { type NamedArguments } from '../intent.ts'
import { transactionOptions } from './concerns.ts'
import { type PendingCall } from './deadlines.ts'
import { runWithTransaction } from './driver-transaction.ts'
import { createBackOff, runManaged } from './managed-transaction.ts'
import { toOutcome } from './outcomes.ts'
import { type Runner } from './replies.ts'
import { runSteps } from './run-steps.ts'
import { TransactionAccount } from './transaction-account.ts'
import { type MadeSteps, type TransactionRun } from './transaction-attempt.ts'

type Steps = Pick<Call, 'steps' | 'aborts'>

/**
 * Makes the calls of an operation one transaction, in a session of its own: the driver keeps sessions of the server for the
 * next, so that one costs no round trip.
 * @param runners Those of the steps.
 */
export function transactionSender({
  client,
  settings,
  runners,
  clock,
}: {
  readonly client: Pick<MongoClient, 'startSession'>
  readonly settings: TransactionSettings
  readonly runners: readonly Runner[]
  readonly clock: Clock
}): (call: Steps, pending: PendingCall) => Promise<Outcome> {
  const { runner, maxAttempts } = settings
  const options = transactionOptions(settings)
  const backOff = createBackOff(clock)
  const runWhole = (run: TransactionRun): Promise<Outcome> =>
    runner === 'managed'
      ? runManaged({ ...run, maxAttempts: maxAttempts ?? Infinity, backOff })
      : runWithTransaction(run)

  return async (call, pending) => {
    const account = new TransactionAccount(clock)
    pending.whenLate = (late) => account.giveUp(late)
    // Causal consistency would have the server wait for what this session has not even seen.
    const session = client.startSession({ causalConsistency: false })
    const makeSteps = (): Promise<MadeSteps> => stepsIn(session, call, { runners, pending, clock })
    try {
      return account.settle(await runWhole({ session, options, account, pending, makeSteps }))
    } catch (error) {
      return account.settle({ ...toOutcome(error), kind: account.isCommitSent ? 'unknown' : 'failed' })
    } finally {
      await session.endSession()
    }
  }
}

async function stepsIn(
  session: ClientSession,
  { steps = [], aborts }: Steps,
  {
    runners,
    pending,
    clock,
  }: { readonly runners: readonly Runner[]; readonly pending: PendingCall; readonly clock: Clock },
): Promise<MadeSteps> {
  let thrown: unknown
  const outcome = await runSteps(
    steps,
    async (step, { args }) => {
      try {
        const run = runners[step]
        if (run === undefined) throw new RangeError('The transaction has no such step')
        return { kind: 'ok', reply: await run(inSession(args, session), pending) }
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

/** Options may be shared by all calls, so they are not written to. */
const inSession = (args: NamedArguments, session: ClientSession): NamedArguments => ({
  ...args,
  options: { ...args.options, session },
})
