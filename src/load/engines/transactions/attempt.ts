import { type PendingCall } from '../deadlines.ts'
import { type Outcome } from '../engine.ts'
import { type TransactionAccount } from './account.ts'

/** Begins and ends the transactions of one call. Rejects with errors that have the names, codes and labels of the driver's. */
export type TransactionSession = {
  readonly startTransaction: () => void
  readonly commitTransaction: () => Promise<unknown>
  readonly abortTransaction: () => Promise<unknown>
}

/** How the calls of an attempt went. */
export type MadeSteps = {
  readonly outcome: Outcome
  /** What the call was rejected with that ended them. */
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
